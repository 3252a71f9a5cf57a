public import Taffrail

/// A sink that is put to the test, and its destination: what whoever writes a sink writes for ``SinkRule``.
///
/// Two functions are enough; the rest says what the destination cannot keep and lets more rules apply:
///
///     struct PostcardSubject: SinkSubject {
///         let office = PostOffice()
///         func makeSink() throws -> any Sink { PostcardSink(office) }
///         func records() throws -> [LogRecord] { office.cards.map { LogRecord(level: .info, message: $0.text) } }
///         var keeps: RecordParts { [.message] }
///     }
///
/// Each rule gets a subject of its own, whose destination is empty.
public protocol SinkSubject {
    /// Makes a sink that writes to this subject's destination.
    ///
    /// Called once or more for each subject. Calls after the first one stand for later runs of a program, or for
    /// another look at the same configuration: they give the same name and the same destination.
    func makeSink() throws -> any Sink

    /// Reads the destination, in its order, without the help of the sink: a file is read, a server is asked.
    ///
    /// Where the destination gets records some time after the sink took them, this waits for them.
    func records() async throws -> [LogRecord]

    /// What of a record comes back from ``records()``. Default: everything.
    var keeps: RecordParts { get }

    /// The record that comes back for one that was written, where a part of it comes back in another shape: a control
    /// character escaped, a time with fewer digits. Default: the record as it is.
    func expected(_ record: LogRecord) -> LogRecord

    /// Whether the destination is still there when its sink is closed and another one is made, as a file is.
    /// Default `true`.
    var outlivesSink: Bool { get }

    /// What would be left in the destination after power loss at this moment. Default `nil`: this cannot be shown, and
    /// ``records()`` stands for it.
    func recordsAfterPowerLoss() async throws -> [LogRecord]?

    /// Makes the destination fail, at once or after a few more records: a disk fills up, a server goes away.
    ///
    /// Returns `false` (the default) when that cannot be done; the rules about it then do not apply.
    func interrupt() async throws -> Bool

    /// Ends what ``interrupt()`` began. Default: nothing.
    func restore() async throws

    /// A record that the sink can never write and refuses for good. Default `nil`: there is none.
    var impossibleRecord: LogRecord? { get }
}

extension SinkSubject {
    /// Everything.
    public var keeps: RecordParts { .all }
    /// The record as it is.
    public func expected(_ record: LogRecord) -> LogRecord { record }
    /// `true`.
    public var outlivesSink: Bool { true }
    /// `nil`: this cannot be shown.
    public func recordsAfterPowerLoss() async throws -> [LogRecord]? { nil }
    /// `false`: this cannot be done.
    public func interrupt() async throws -> Bool { false }
    /// Does nothing.
    public func restore() async throws {}
    /// `nil`: there is none.
    public var impossibleRecord: LogRecord? { nil }
}
