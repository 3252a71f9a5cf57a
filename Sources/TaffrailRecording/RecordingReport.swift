internal import TaffrailGeo
internal import TaffrailText

/// The result of a complete check of a recording.
public struct RecordingReport: Sendable, Hashable {
    /// A problem.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The offset in the file, if known.
        public var offset: Int?
        /// The line, from 1, if known.
        public var line: Int?
        /// A one-line description for users.
        public var description: String
    }

    /// The readable events.
    public private(set) var events = 0
    /// The positions among them.
    public private(set) var locations = 0
    /// The errors among them.
    public private(set) var errors = 0
    /// The log records among them.
    public private(set) var logs = 0
    /// The last event's time, from the start.
    public var duration: Duration { Duration(clampingSeconds: seconds) }
    private var seconds = 0.0
    /// The metadata of the recording.
    public private(set) var metadata: RecordingMetadata?
    /// The problems; at most ``problemLimit``.
    public private(set) var problems: [Problem] = []
    /// Whether the recording itself is damaged, so that not all of it could be read.
    public private(set) var isDamaged = false
    /// The reason why it cannot be read, if it has an unsupported version.
    private(set) var foreignVersion: String?

    /// The maximum number of problems to report.
    public static let problemLimit = 20

    /// Whether there are no problems.
    public var isIntact: Bool { problems.isEmpty }

    /// Reads a recording completely, in constant memory.
    ///
    /// - Throws: When the file cannot be read at all; problems with its contents are in ``problems``.
    public init(checking path: String) throws(RecordingError) {
        var reader: RecordingReader
        do throws(RecordingError) {
            reader = try RecordingReader(path: path)
        } catch {
            guard error.kind == .unsupportedVersion || error.kind == .malformed else { throw error }
            fail(error)
            return
        }
        var previous = 0.0
        do throws(RecordingError) {
            while let event = try reader.next() {
                count(event)
                if event.relativeTime < previous {
                    add(
                        Problem(
                            offset: reader.eventOffset,
                            description: "time goes backwards by \(previous - event.relativeTime) s"))
                }
                previous = event.relativeTime
                seconds = max(seconds, event.relativeTime)
            }
        } catch {
            guard error.kind == .malformed || error.kind == .unsupportedVersion else { throw error }
            fail(error)
        }
        events = reader.eventCount
        metadata = reader.metadata
        if !isDamaged { compare() }
    }

    private mutating func fail(_ error: RecordingError) {
        isDamaged = true
        if error.kind == .unsupportedVersion { foreignVersion = error.reason }
        add(Problem(offset: error.offset, line: error.line, description: error.reason))
    }

    private mutating func count(_ event: RecordedEvent) {
        switch event.event {
        case .location: locations += 1
        case .error: errors += 1
        case .log: logs += 1
        }
    }

    private mutating func compare() {
        guard let metadata else { return add(Problem(description: "missing metadata")) }
        if metadata.eventCount != events {
            add(Problem(description: "eventCount is \(metadata.eventCount), but there are \(events) events"))
        }
        // Recorders that round, or that stop the clock with the last flush, deviate slightly.
        if metadata.seconds < seconds - 0.001 {
            add(Problem(description: "duration is \(metadata.seconds) s, but the last event is at \(seconds) s"))
        }
    }

    private mutating func add(_ problem: Problem) {
        if problems.count < Self.problemLimit { problems.append(problem) }
    }
}
