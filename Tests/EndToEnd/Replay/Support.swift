import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport

@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

/// A drive as other programs have to see it.
struct Drive: Sendable {
    let events: [RecordedEvent]
    var locations: [Location] { events.compactMap(\.event.location) }

    static let start = RFC3339.timestamp("2026-01-05T14:30:00Z") ?? .now

    /// A way over the antimeridian, from below the sea on, with accuracies that change and tunnels.
    ///
    /// - Parameter tunnels: Whether there is no fix in four epochs of forty.
    init(_ count: Int, rate: Double, tunnels: Bool = true) {
        var events: [RecordedEvent] = []
        for index in 0..<count {
            let time = Double(index) / rate
            let moment = Self.start + .seconds(time)
            if tunnels, (12..<16).contains(index % 40) {
                guard index % 40 == 12 else { continue }
                events.append(
                    RecordedEvent(timestamp: moment, relativeTime: time, event: .error(.locationUnknown("tunnel"))))
                continue
            }
            let longitude = (179.99 + Double(index) * 0.0004 + 180).truncatingRemainder(dividingBy: 360) - 180
            var location = Location(
                latitude: -55.5 + Double(index) * 0.000_123, longitude: (longitude * 1e9).rounded() / 1e9,
                timestamp: moment)
            location.altitude = -12.3 + Double(index) * 0.5
            location.ellipsoidalAltitude = -12.3 + Double(index) * 0.5 + 41.25
            location.horizontalAccuracy = 2.5 + Double(index % 30) * 0.37
            location.verticalAccuracy = 4 + Double(index % 7) * 1.1
            location.course = (Double(index) * 3.7).truncatingRemainder(dividingBy: 360)
            location.speed = Double(index % 50) * 0.71
            events.append(RecordedEvent(timestamp: moment, relativeTime: time, event: .location(location)))
        }
        self.events = events
    }

    /// Writes it as a track.
    func write(to path: String) throws {
        let writer = try format(of: path).writer(try TextOutput(path: path))
        try writer.begin(RecordingMetadata(recordedAt: Self.start), name: "drive")
        for event in events { try writer.append(event) }
        try writer.finish()
    }

    private func format(of path: String) throws -> TrackFormat {
        guard let format = TrackFormat(path: path) else { throw POSIXError(.EINVAL) }
        return format
    }

    /// From which event on there is a fix and from which one not, as a line of letters without repetitions: `FNFN`.
    var runs: String { Self.runs(events.map { $0.event.location != nil }) }

    static func runs(_ fixes: [Bool]) -> String {
        fixes.reduce(into: "") { text, hasFix in
            let letter: Character = hasFix ? "F" : "N"
            if text.last != letter { text.append(letter) }
        }
    }
}

/// The names of devices in gpsd's answers and reports, at any depth.
func deviceNames(_ lines: [String]) throws -> Set<String> {
    var names: Set<String> = []
    func collect(_ value: Any) {
        if let list = value as? [Any] { list.forEach(collect) }
        guard let object = value as? [String: Any] else { return }
        for key in ["path", "device"] { if let name = object[key] as? String { names.insert(name) } }
        object.values.forEach(collect)
    }
    for line in lines { collect(try GPSDAnswersTests.object(line)) }
    return names
}
