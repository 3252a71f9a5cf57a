public import Taffrail
public import TaffrailGeo

/// A record as a store returns it.
///
/// A received record has the time, logger and numbers of its origin; `arrival` is the time of its arrival here.
public struct StoredRecord: Sendable, Hashable {
    /// The identity of the record in its store; empty if it is not stored.
    public var id = ""
    /// The time at which it was logged, by the clock of its origin.
    public var time: Timestamp
    /// The time of its arrival here: the same as `time` for a record of this program.
    public var arrival: Timestamp
    /// The severity.
    public var level: Level
    /// The message.
    public var message: String
    /// The event name, if any.
    public var eventName: String?
    /// The logger's name; empty for `Logger.shared`.
    public var logger: String
    /// The device that logged it.
    public var device: String
    /// The attributes, without those that are properties here. A store may keep bytes and times as strings.
    public var attributes: [LogValueEntry]
    /// The source location.
    public var source: LogRecord.SourceLocation?
    /// The trace and span.
    public var trace: TraceContext?
    /// The run that logged it, or the batch in which it arrived; empty if neither is known.
    public var run: String
    /// The meaning of ``run``.
    public var runKind = RunKind.own
    /// Its number within the run or batch; `nil` if it has none.
    public var sequence: UInt64?
    /// The position where it was logged, if known.
    public var coordinate: Coordinate?
    /// The values of the attributes that are indexed with the message, one per line.
    public var indexedText: String?

    /// Creates a record.
    public init(
        time: Timestamp, arrival: Timestamp? = nil, level: Level, message: String, eventName: String? = nil,
        logger: String = "", device: String = "", attributes: [LogValueEntry] = [], run: String = "",
        sequence: UInt64? = nil
    ) {
        self.time = time
        self.arrival = arrival ?? time
        self.level = level
        self.message = message
        self.eventName = eventName
        self.logger = logger
        self.device = device
        self.attributes = attributes
        self.run = run
        self.sequence = sequence
    }

    /// The meaning of a record's run. Records are the same only if these are equal, too, because a sender can claim any
    /// run.
    public enum RunKind: Sendable, Hashable, CaseIterable {
        /// A run of the program that stores the record.
        case own
        /// A run that the sender of the record has named.
        case received
        /// The batch with which the record was received.
        case batch
    }

    /// Returns the value of the attribute named `key`. Names are compared by their bytes, as in every store.
    public subscript(key: String) -> LogValue? { attributes.first { $0.key.utf8.elementsEqual(key.utf8) }?.value }
}
