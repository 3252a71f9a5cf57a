import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

/// Tracks of two receivers, of which one loses its fix: that interrupts the track of this one only.
@Suite(.mayBlock) struct LostReceiverTests {
    /// Ten fixes of `/dev/a`; four of `/dev/b`, a loss, and five more.
    static let events: [RecordedEvent] = (0..<10).flatMap { second in
        ["/dev/a", "/dev/b"].map { device in
            let time = SampleDrive.start + .seconds(second)
            var location = Location(
                latitude: device == "/dev/a" ? 10 : 20, longitude: Double(second) / 100, timestamp: time)
            location.extra.device = device
            let event: GeoEvent =
                device == "/dev/b" && second == 4
                ? .error(.locationUnknown("no fix from /dev/b", device: "/dev/b")) : .location(location)
            return RecordedEvent(timestamp: time, relativeTime: Double(second), event: event)
        }
    }

    /// The same, with an error that names no receiver.
    static let allLost = events.map { event in
        var event = event
        if event.event.error != nil { event.event = .error(.locationUnknown("gpsd is lost")) }
        return event
    }

    @Test func `its statistics have a gap, and the others' have none`() {
        func gaps(_ events: [RecordedEvent]) -> [Int] {
            var receivers = ReceiverStatistics()
            for event in events { receivers.add(event.event) }
            return receivers.receivers.map(\.statistics.gaps)
        }
        #expect(gaps(Self.events) == [0, 1])
        #expect(gaps(Self.allLost) == [1, 1])
    }

    @Test(arguments: [(nil, 3, 4), ("/dev/a", 1, 2), ("/dev/b", 2, 2)] as [(String?, Int, Int)])
    func `its track has a gap in an export, and the others' have none`(
        device: String?, pieces: Int, piecesOfAllLost: Int
    ) throws {
        let folder = TemporaryDirectory()
        for (name, events, pieces) in [("one", Self.events, pieces), ("all", Self.allLost, piecesOfAllLost)] {
            let source = folder.file("\(name).json")
            _ = try TrackFormatTests.write(events, .json, to: source)
            for (format, tag) in [(TrackFormat.gpx, "<trkseg>"), (.kml, "<gx:Track>")] {
                let name = "\(name).\(format.rawValue)"
                _ = try TrackConversion(
                    from: source, .json, to: folder.file(name), format, device: device, overwrites: false)
                #expect(folder.text(name).ranges(of: tag).count == pieces, "\(format)")
            }
        }
    }

    @Test func `recordings and GeoJSON keep the receiver of an error`() throws {
        let folder = TemporaryDirectory()
        for format in [TrackFormat.json, .geojson] {
            let path = folder.file("drive.\(format.rawValue)")
            _ = try TrackFormatTests.write(Self.events, format, to: path)
            #expect(try TrackFormatTests.read(path, format).map(\.event) == Self.events.map(\.event))
        }
    }

    @Test(arguments: [("/dev/a", 0), ("/dev/b", 1)])
    func `a replay of one receiver has its errors only`(device: String, count: Int) throws {
        let folder = TemporaryDirectory()
        for (name, events, count) in [("one", Self.events, count), ("all", Self.allLost, 1)] {
            _ = try TrackFormatTests.write(events, .json, to: folder.file("\(name).json"))
            var options = ReplayOptions(path: folder.file("\(name).json"), isAsFastAsPossible: true)
            options.device = device
            var errors: [GeoError] = []
            try ReplayPlayer(options).run { if let error = $0.event.error { errors.append(error) } }
            #expect(errors.count == count)
        }
    }

    @Test func `sentences are those of the first receiver`() throws {
        for (events, periods) in [(Self.events, ["fix"]), (Self.allLost, ["fix", "none", "fix"])] {
            let line = KeptLine()
            let output = NMEAOutput(line)
            for event in events { try output.send(event) }
            var parser = NMEAParser()
            var seen: [String] = []
            func take(_ report: PositionReport) {
                let period = report.location == nil ? "none" : "fix"
                if seen.last != period { seen.append(period) }
            }
            parser.read(line.sent.withLock { $0 }) { take($0) }
            parser.finish { take($0) }
            #expect(seen == periods)
        }
    }

    @Test func `its line is divided, and the others are simplified across`() throws {
        func count(_ events: [RecordedEvent]) throws -> Int {
            let track = SimplifiedTrack(EventTrack(events), tolerance: 100_000)
            var count = 0
            while let event = try track.next() { if event.event.location != nil { count += 1 } }
            return count
        }
        // Two ends of each line.
        #expect(try count(Self.events) == 6)
        #expect(try count(Self.allLost) == 8)
    }

    @Test func `merged tracks give their errors the name of their receiver`() throws {
        let merged = MergedTrack([
            .init(EventTrack(Self.allLost), device: "ferry"), .init(EventTrack(Self.allLost), device: "tender"),
        ])
        var devices: [String?] = []
        while let event = try merged.next() { if let error = event.event.error { devices.append(error.device) } }
        #expect(devices == ["ferry", "tender"])
    }
}
