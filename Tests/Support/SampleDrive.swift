package import Taffrail
internal import TaffrailGeo
package import TaffrailRecording
internal import TaffrailText
internal import TaffrailTracks

/// The common content of recordings made by tests.
package enum SampleDrive {
    package static let start = RFC3339.timestamp("2026-01-05T14:30:00Z") ?? .now

    package static func metadata() -> RecordingMetadata {
        RecordingMetadata(
            recordedAt: start, device: "ferry \"Aurelia\"", systemVersion: "Debian GNU/Linux 12 (bookworm)")
    }

    /// A recording of one fix per second; latitude and floor are its number.
    package static func write(_ count: Int, to path: String, times: (Int) -> Double = { Double($0) }) throws {
        let events = (0..<count).map { index in
            var location = Location(
                latitude: Double(index), longitude: 12, timestamp: start + .seconds(times(index)))
            location.altitude = 5
            return RecordedEvent(
                timestamp: start + .seconds(times(index)), relativeTime: times(index), event: .location(location))
        }
        let writer = TrackFormat.json.writer(try TextOutput(path: path))
        try writer.begin(RecordingMetadata(recordedAt: start), name: "")
        for event in events { try writer.append(event) }
        try writer.finish()
    }
}
