/// A record as an independent value: OpenTelemetry's log record, with the source location.
///
/// Sinks work on ``RecordView``, which copies nothing; use a `LogRecord` to keep a record.
public struct LogRecord: Sendable, Hashable {
    /// The time of the call.
    public var timestamp: Timestamp
    /// The sequence number within the run, without gaps from 1; 0 for a record that did not pass through a queue.
    public var sequence: UInt64
    /// The run of the program.
    public var run: RingID
    /// The severity.
    public var level: Level
    /// The message.
    public var message: String
    /// The event name, such as `geo.location`, if any.
    public var eventName: String?
    /// Named values, innermost first, without duplicate names.
    public var attributes: [LogValueEntry]
    /// The logger's name; empty for ``Logger/shared``.
    public var logger: String
    /// The source location of the call.
    public var source: SourceLocation?
    /// The trace and span of the call.
    public var trace: TraceContext?

    /// Creates a record.
    public init(
        timestamp: Timestamp = .now, sequence: UInt64 = 0, run: RingID = .none, level: Level, message: String,
        eventName: String? = nil, attributes: [LogValueEntry] = [], logger: String = "",
        source: SourceLocation? = nil, trace: TraceContext? = nil
    ) {
        self.timestamp = timestamp
        self.sequence = sequence
        self.run = run
        self.level = level
        self.message = message
        self.eventName = eventName
        self.attributes = attributes
        self.logger = logger
        self.source = source
        self.trace = trace
    }

    /// Copies a view.
    public init(_ view: borrowing RecordView) {
        self.init(
            timestamp: view.timestamp, sequence: view.sequence, run: view.run, level: view.level, message: view.message,
            eventName: view.eventName, attributes: view.attributes, logger: view.logger, source: view.source,
            trace: view.trace)
    }

    /// The value of the attribute named `key`.
    public subscript(key: String) -> LogValue? { attributes.first { $0.key == key }?.value }

    /// A location in the source code.
    public struct SourceLocation: Sendable, Hashable {
        /// Module and file name, in the form of `#fileID`.
        public var file: String
        /// The function.
        public var function: String
        /// The line, from 1.
        public var line: UInt32

        /// Creates a location.
        public init(file: String, function: String, line: UInt32) {
            self.file = file
            self.function = function
            self.line = line
        }
    }
}
