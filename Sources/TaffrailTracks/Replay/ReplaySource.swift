internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// The events of a file in order, with one event read ahead, and rewinding. One thread.
struct ReplaySource {
    let path: String
    private let format: TrackFormat
    private let device: String?
    private var reader: any TrackReader
    private var previous: RecordedEvent?
    /// The next event; `nil` at the end.
    private(set) var next: RecordedEvent?
    /// The number of ``next``, from 1.
    private(set) var number = 1
    /// The start of the track.
    private(set) var start = Timestamp(nanoseconds: 0)

    /// Opens a file and reads its first event.
    ///
    /// - Parameter device: Use only the positions and errors of this receiver; `nil`: all.
    init(path: String, format: TrackFormat?, device: String? = nil) throws(RecordingError) {
        self.path = path
        self.device = device
        self.format = format ?? TrackFormat(path: path) ?? .json
        reader = try self.format.reader(path: path)
        next = try read()
        if let first = next { start = first.timestamp - first.elapsed }
    }

    /// Whether it can be rewound.
    var isRewindable: Bool { path != "-" }
    /// The length in seconds, if the file contains it.
    var duration: Double? { reader.metadata.map(\.seconds).flatMap { $0 > 0 ? $0 : nil } }
    /// The number of events, if the file contains it.
    var eventCount: Int? { reader.metadata.map(\.eventCount).flatMap { $0 > 0 ? $0 : nil } }

    private func read() throws(RecordingError) -> RecordedEvent? {
        guard let device else { return try reader.next() }
        while let event = try reader.next() {
            if event.event.belongs(to: device) { return event }
        }
        return nil
    }

    /// The time of the event before ``next``, in seconds since the start.
    var previousTime: Double? { previous?.relativeTime }

    /// The points skipped so far because they could not be read.
    var warnings: TrackWarnings { reader.warnings }

    /// Reads the next event.
    mutating func advance() throws(RecordingError) {
        guard let event = next else { return }
        previous = event
        next = nil
        next = try read()
        number += 1
    }

    /// Seeks to the first event at or after a point.
    ///
    /// - Returns: `false` if the source cannot be rewound to this point.
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
