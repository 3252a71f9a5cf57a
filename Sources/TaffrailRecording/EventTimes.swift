internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// Completes the times of events, in order; each event may lack some of its times.
struct EventTimes {
    /// The start of the recording, derived from the first event with a timestamp.
    private var start: Timestamp?
    private var last = 0.0

    /// Adds the missing times of an event. An event without any time gets that of the previous event.
    ///
    /// - Returns: `false` if no event so far has a timestamp, and this one has no relative time either.
    mutating func complete(_ event: inout RecordingDecoder.Event) -> Bool {
        let written = event.writtenTime
        start = start ?? event.timestamp.map { $0 - Duration(clampingSeconds: written ?? last) }
        let derived = start.flatMap { start in event.timestamp.map { max(0, $0.seconds(since: start)) } }
        event.relativeTime = written ?? derived.map(\.roundedToMillionths) ?? last
        last = event.relativeTime
        guard let start else { return written != nil }
        event.timestamp = event.timestamp ?? start + Duration(clampingSeconds: event.relativeTime)
        return true
    }
}
