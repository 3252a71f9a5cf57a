public import Taffrail

/// A sink under test and its destination, provided to ``SinkRule`` by the author of the sink.
///
/// Two functions suffice; the others describe what the destination cannot store, or enable more rules:
///
///     struct PostcardSubject: SinkSubject {
///         let office = PostOffice()
///         func makeSink() throws -> any Sink { PostcardSink(office) }
///         func records() throws -> [LogRecord] { office.cards.map { LogRecord(level: .info, message: $0.text) } }
///         var keeps: RecordParts { [.message] }
///     }
///
/// Each rule gets its own subject, with an empty destination.
public protocol SinkSubject {
    /// Creates a sink that writes to this subject's destination.
    ///
    /// Called one or more times for each subject. Later calls represent later runs of a program, or a reload of the
    /// same configuration: the sinks have the same name and the same destination.
    func makeSink() throws -> any Sink

    /// Reads the destination, in order, without using the sink: a file is read, a server is queried.
    ///
    /// If the destination gets records some time after the sink took them, this waits for them.
    func records() async throws -> [LogRecord]

    /// The parts of a record that ``records()`` returns. Default: all.
    var keeps: RecordParts { get }

    /// Returns the expected form of a record in ``records()``, if part of it changes: a control character is escaped, a
    /// time has fewer digits. Default: the record unchanged.
    func expected(_ record: LogRecord) -> LogRecord

    /// Whether the destination outlives its sink, as a file does. Default `true`.
    var outlivesSink: Bool { get }

    /// Returns the records that the destination would contain after power loss now. Default `nil`: unknown;
    /// ``records()`` is used instead.
    func recordsAfterPowerLoss() async throws -> [LogRecord]?

    /// Makes the destination fail, at once or after a few more records: a full disk, an unreachable server.
    ///
    /// Returns `false` (the default) when that is not possible; the rules about failures then do not apply, and a sink
    /// that ignores errors of its destination is not detected. Each rule that does not apply is printed on stderr.
    func interrupt() async throws -> Bool

    /// Ends the failure started by ``interrupt()``. Default: does nothing.
    func restore() async throws

    /// A record that the sink can never write and refuses permanently. Default `nil`: none.
    var impossibleRecord: LogRecord? { get }
}

extension SinkSubject {
    /// Everything.
    public var keeps: RecordParts { .all }
    /// Returns the record unchanged.
    public func expected(_ record: LogRecord) -> LogRecord { record }
    /// `true`.
    public var outlivesSink: Bool { true }
    /// `nil`: unknown.
    public func recordsAfterPowerLoss() async throws -> [LogRecord]? { nil }
    /// `false`: not possible.
    public func interrupt() async throws -> Bool { false }
    /// Does nothing.
    public func restore() async throws {}
    /// `nil`: none.
    public var impossibleRecord: LogRecord? { nil }
}
