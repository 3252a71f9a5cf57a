/// A record as a value of its own: OpenTelemetry's log record, with the source location.
///
/// Sinks work on ``RecordView``, which copies nothing; a `LogRecord` is for whoever wants to keep one.
public struct LogRecord: Sendable, Hashable {
    /// When the call was made.
    public var timestamp: Timestamp
    /// The number within the run, dense from 1; 0 for a record that did not pass a queue.
    public var sequence: UInt64
    /// The run of the program.
    public var run: RingID
    /// How serious it is.
    public var level: Level
    /// The text.
    public var message: String
    /// The kind of event, such as `geo.location`, where the record stands for one.
    public var eventName: String?
    /// Named values, the innermost first; a name occurs once.
    public var attributes: [LogValueEntry]
    /// The logger's name; empty for ``Logger/shared``.
    public var logger: String
    /// Where in the source the call stands.
    public var source: SourceLocation?
    /// The trace and span of the call.
    public var trace: TraceContext?

    /// Makes a record.
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

    /// Copies what a view shows.
    public init(_ view: borrowing RecordView) {
        self.init(
            timestamp: view.timestamp, sequence: view.sequence, run: view.run, level: view.level, message: view.message,
            eventName: view.eventName, attributes: view.attributes, logger: view.logger, source: view.source,
            trace: view.trace)
    }

    /// The value of the attribute named `key`.
    public subscript(key: String) -> LogValue? { attributes.first { $0.key == key }?.value }
}

extension LogRecord {
    /// A place in the source text.
    public struct SourceLocation: Sendable, Hashable {
        /// Module and file name, as `#fileID` has them.
        public var file: String
        /// The function.
        public var function: String
        /// The line, from 1.
        public var line: UInt32

        /// Makes a place.
        public init(file: String, function: String, line: UInt32) {
            self.file = file
            self.function = function
            self.line = line
        }
    }
}
