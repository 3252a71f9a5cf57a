import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText

/// Recordings that leave out positions near the last one.
@Suite(.mayBlock) struct MinimumMoveTests {
    private let folder: TemporaryDirectory

    init() throws { folder = TemporaryDirectory() }

    /// A position at a distance in metres north of the equator.
    private static func location(_ metres: Double, device: String? = nil) -> GeoEvent {
        var location = Location(
            latitude: metres / 110_574, longitude: 12, timestamp: RecordingWriterTests.start + .seconds(metres))
        location.extra.device = device
        return .location(location)
    }

    private func record(_ events: [GeoEvent], _ options: RecordingOptions) throws -> [Double] {
        let session = RecordingSession(options)
        for (second, event) in events.enumerated() {
            try session.take(event, received: RecordingWriterTests.start + .seconds(second), uptime: nil)
        }
        try session.commit()
        try session.finish()
        return try recorded().compactMap(\.event.location).map { ($0.coordinate.latitude * 110_574).rounded() }
    }

    private func recorded() throws -> [RecordedEvent] {
        let name = try #require(folder.recordings(in: "drives").first?.name)
        return try RecordingRepairTests.events(folder.file("drives/" + name))
    }

    private var options: RecordingOptions {
        var options = RecordingOptions(directory: folder.file("drives"))
        options.minimumMove = 10
        return options
    }

    @Test func `a position nearer than the minimum to the last recorded one is omitted`() throws {
        let kept = try record([0, 4, 9, 12, 15, 21, 23, 12].map { Self.location($0) }, options)
        #expect(kept == [0, 12, 23, 12])
    }

    @Test(arguments: [["a", "b"], ["caf\u{E9}", "cafe\u{301}"]])
    func `the first position after an error is recorded, and each receiver counts for itself`(names: [String]) throws {
        let kept = try record(
            [
                Self.location(0, device: names[0]), Self.location(5, device: names[1]),
                Self.location(6, device: names[0]), .error(.locationUnknown()), Self.location(7, device: names[0]),
            ], options)
        #expect(kept == [0, 5, 7])
    }

    @Test func `an error of one receiver leaves the others' positions`() throws {
        let kept = try record(
            [
                Self.location(0, device: "a"), Self.location(5, device: "b"),
                .error(.locationUnknown(device: "b")), Self.location(1, device: "a"), Self.location(6, device: "b"),
            ], options)
        #expect(kept == [0, 5, 6])
    }

    @Test func `an omitted position starts no recording`() throws {
        var options = options
        options.splitInterval = .minutes(1)
        let session = RecordingSession(options)
        for (minute, metres) in [0.0, 1, 2, 30].enumerated() {
            let time = RecordingWriterTests.start + .minutes(minute)
            try session.splitIfDue(now: time)
            try session.take(Self.location(metres), received: time, uptime: nil)
            try session.commit()
            #expect((session.path == nil) == (1...2).contains(minute))
        }
        try session.finish()
        let names = folder.recordings(in: "drives").map(\.name)
        #expect(names == ["geo_log_2026-01-05_14-30-00.json", "geo_log_2026-01-05_14-33-00.json"])
    }

    @Test func `a position whose recording could not be created is not the last recorded one`() throws {
        try folder.write("", to: "drives")
        let session = RecordingSession(options)
        func take() throws {
            try session.take(Self.location(0), received: RecordingWriterTests.start, uptime: nil)
        }
        #expect(throws: RecordingError.self) { try take() }
        try FileName.remove(folder.file("drives"))
        try take()
        try session.commit()
        try session.finish()
        #expect(try recorded().count == 1)
    }

    @Test func `events that could not be written do not count as recorded`() throws {
        var options = options
        let faults = RecordingFaults()
        options.faults = faults
        let session = RecordingSession(options)
        try session.take(Self.location(0), received: RecordingWriterTests.start, uptime: nil)
        try session.commit()
        for isBroken in [true, false] {
            faults.fail(with: isBroken ? 28 : 0)
            // More than there is space for in the file's reserve.
            for step in 1...2_000 {
                let second = Double(step)
                try session.take(
                    Self.location(20 * second), received: RecordingWriterTests.start + .seconds(second), uptime: nil)
            }
            if isBroken {
                #expect(throws: RecordingError.self) { try session.commit() }
            } else {
                try session.commit()
            }
        }
        try session.finish()
        #expect(try recorded().count == 2_001)
    }
}
