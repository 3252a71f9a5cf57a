import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

@Suite(.mayBlock) struct TrackEditingTests {
    /// A fix for each second, metres north and east of a place.
    private static func line(
        _ range: Range<Int>, device: String? = nil, _ place: (Int) -> (north: Double, east: Double)
    ) -> [RecordedEvent] {
        range.map { second in
            let (north, east) = place(second)
            let time = SampleDrive.start + .seconds(second)
            var location = Location(
                latitude: 55 + north / 111_000, longitude: 12 + east / 63_000, timestamp: time)
            location.extra.device = device
            return RecordedEvent(
                timestamp: time, relativeTime: Double(second - range.lowerBound), event: .location(location))
        }
    }

    private static func straight(_ range: Range<Int>, device: String? = nil) -> [RecordedEvent] {
        line(range, device: device) { (Double($0) * 10, 0) }
    }

    private static func all(_ track: any TrackReader) throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        while let event = try track.next() { events.append(event) }
        #expect(try track.next() == nil)
        return events
    }

    /// Which seconds of the drive the positions are of.
    private static func seconds(_ events: [RecordedEvent]) -> [Int] {
        events.map { Int($0.timestamp.seconds(since: SampleDrive.start).rounded()) }
    }

    @Test(arguments: [
        ("10", "20", 10...20), ("#11", "#21", 10...20), ("0", "1m", 0...60), ("2026-01-05T14:30:30Z", "40", 30...40),
        ("14:30:30", "14:31", 30...60),
    ])
    func `a part has the events of both its ends, and its time begins at 0`(
        from: String, to: String, seconds: ClosedRange<Int>
    ) throws {
        let track = CutTrack(EventTrack(Self.straight(0..<90)), from: ReplayPoint(from), to: ReplayPoint(to))
        let part = try Self.all(track)
        #expect(Self.seconds(part) == Array(seconds))
        #expect(part.map(\.relativeTime) == (0..<seconds.count).map(Double.init))
    }

    @Test func `an end that is not given is that of the track, and beyond both there is nothing`() throws {
        func part(_ from: String?, _ to: String?) throws -> [Int] {
            let track = EventTrack(Self.straight(0..<10))
            return Self.seconds(
                try Self.all(
                    CutTrack(track, from: from.flatMap { ReplayPoint($0) }, to: to.flatMap { ReplayPoint($0) })))
        }
        #expect(try part(nil, "3") == [0, 1, 2, 3])
        #expect(try part("7", nil) == [7, 8, 9])
        #expect(try part(nil, nil) == Array(0..<10))
        #expect(try part("100", nil) == [])
        #expect(try part("5", "2") == [])
    }

    @Test func `merged tracks are in the order of time, with a gap where none is running`() throws {
        let parts = [Self.straight(100..<110), Self.straight(0..<10), Self.straight(5..<20)]
        let merged = try Self.all(MergedTrack(parts.map { MergedTrack.Part(EventTrack($0)) }))
        let times = merged.map(\.timestamp)
        #expect(times == times.sorted())
        // What two of them have is there once.
        #expect(merged.filter { $0.event.location != nil }.count == 30)
        #expect(merged.indices.filter { merged[$0].event.error != nil } == [20])
        #expect(merged.first?.relativeTime == 0 && merged.last?.relativeTime == 109)
        #expect(merged.map(\.relativeTime) == merged.map(\.relativeTime).sorted())
        #expect(try Self.all(MergedTrack([])) == [])
    }

    @Test func `what two tracks of the same receivers contain appears once`() throws {
        // Two receivers with fixes at the same times, and a record that the first track contains twice.
        let note = LogRecord(level: .info, message: "bell")
        let track = (0..<5).flatMap { second -> [RecordedEvent] in
            let fixes = ["bow", "stern"].flatMap { Self.straight(second..<second + 1, device: $0) }
            let bell = RecordedEvent(timestamp: fixes[0].timestamp, relativeTime: 0, event: .log(note))
            return [bell] + fixes + [bell]
        }
        let other = track.filter { $0.event.location != nil }
        for tracks in [[track, other], [other, track], [track, track], [track, other, track]] {
            let merged = try Self.all(MergedTrack(tracks.map { MergedTrack.Part(EventTrack($0)) }))
            #expect(merged.compactMap(\.event.location).count == 10 && merged.count == 20)
        }
    }

    @Test(arguments: [["ferry", "tender"], ["caf\u{E9}", "cafe\u{301}"]])
    func `merged devices stay apart`(names: [String]) throws {
        let other = Self.line(0..<10) { (Double($0) * 10, 500) }
        let merged = try Self.all(
            MergedTrack([
                MergedTrack.Part(EventTrack(Self.straight(0..<10)), device: names[0]),
                MergedTrack.Part(EventTrack(other), device: names[1]),
            ]))
        #expect(merged.count == 20 && merged.allSatisfy { $0.event.error == nil })
        #expect(Set(merged.compactMap { $0.event.location?.extra.device }) == Set(names))
        // Each has a straight line of two ends.
        let simple = try Self.all(SimplifiedTrack(EventTrack(merged), tolerance: 5))
        #expect(Self.seconds(simple) == [0, 0, 9, 9])
    }

    @Test func `a simplified track keeps corners, errors and records, and lies within the tolerance`() throws {
        var events = Self.line(0..<300) { second in
            second < 150 ? (Double(second) * 10, Double(second % 2) * 2) : (1_490, Double(second - 149) * 10)
        }
        let record = LogRecord(level: .info, message: "turn")
        events.insert(
            RecordedEvent(timestamp: events[40].timestamp, relativeTime: 40, event: .log(record)), at: 41)
        let simple = try Self.all(SimplifiedTrack(EventTrack(events), tolerance: 5))
        #expect(simple.count == 4 && simple.contains { $0.event.location == nil })
        let seconds = Self.seconds(simple)
        #expect(seconds.first == 0 && seconds.last == 299 && abs((seconds.dropLast().last ?? 0) - 149) <= 1)
        events[100].event = .error(.locationUnknown("tunnel"))
        // Both ends of each piece remain.
        #expect(try Self.all(SimplifiedTrack(EventTrack(events), tolerance: 5)).count == 7)
        let exact = try Self.all(SimplifiedTrack(EventTrack(events), tolerance: 0.5))
        #expect(exact.count > 140 && exact.count < 200)
    }
}
