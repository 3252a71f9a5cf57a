internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// The events of a file in order, one ahead, with the way back to the start. One thread.
struct ReplaySource {
    let path: String
    private let format: TrackFormat
    private let device: String?
    private var reader: any TrackReader
    private var previous: RecordedEvent?
    /// The event that comes next; `nil` at the end.
    private(set) var next: RecordedEvent?
    /// The number of ``next``, from 1.
    private(set) var number = 1
    /// When the track starts.
    private(set) var start = Timestamp(nanoseconds: 0)

    /// Opens a file and reads its first event.
    ///
    /// - Parameter device: The only receiver whose positions count; `nil`: all.
    init(path: String, format: TrackFormat?, device: String? = nil) throws(RecordingError) {
        self.path = path
        self.device = device
        self.format = format ?? TrackFormat(path: path) ?? .json
        reader = try self.format.reader(path: path)
        next = try read()
        if let first = next { start = first.timestamp - first.relativeTime }
    }

    /// Whether there is a way back.
    var isRewindable: Bool { path != "-" }
    /// The length in seconds, where the file says it.
    var duration: Double? { reader.metadata.map(\.duration).flatMap { $0 > 0 ? $0 : nil } }
    /// The count of events, where the file says it.
    var eventCount: Int? { reader.metadata.map(\.eventCount).flatMap { $0 > 0 ? $0 : nil } }

    private func read() throws(RecordingError) -> RecordedEvent? {
        guard let device else { return try reader.next() }
        while let event = try reader.next() {
            guard let location = event.event.location else { return event }
            if location.extra.device == device { return event }
        }
        return nil
    }

    /// What was left out of the events so far, because it could not be read.
    var warnings: TrackWarnings { reader.warnings }

    /// Reads on.
    mutating func advance() throws(RecordingError) {
        guard let event = next else { return }
        previous = event
        next = nil
        next = try read()
        number += 1
    }

    /// Goes to the first event at a point, or behind it.
    ///
    /// - Returns: `false` when there is no way back to it.
    mutating func seek(to point: ReplayPoint) throws(RecordingError) -> Bool {
        let point = point.resolved(start: start)
        if let previous, point.isReached(by: previous, number: number - 1) {
            guard isRewindable else { return false }
            reader = try format.reader(path: path)
            self.previous = nil
            number = 1
            next = try read()
        }
        while let event = next, !point.isReached(by: event, number: number) { try advance() }
        return true
    }
}
