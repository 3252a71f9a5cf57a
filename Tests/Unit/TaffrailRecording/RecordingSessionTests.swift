import Foundation
import Taffrail
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText

@Suite(.mayBlock) struct RecordingSessionTests {
    static let start = RecordingWriterTests.start

    static func location(_ index: Int) -> GeoEvent { RecordingWriterTests.event(index).event }

    static func session(_ folder: TemporaryDirectory, _ change: (inout RecordingOptions) -> Void = { _ in })
        -> RecordingSession
    {
        var options = RecordingOptions(directory: folder.path)
        change(&options)
        return RecordingSession(options) { RecordingMetadata(recordedAt: $0, device: "ferry") }
    }

    @Test func `files are named by their start and never share a name`() throws {
        let folder = TemporaryDirectory()
        let session = Self.session(folder)
        for _ in 0..<3 {
            try session.take(Self.location(0), received: Self.start + .seconds(0.25), uptime: nil)
            try session.commit()
            try session.finish()
        }
        #expect(
            folder.names == [
                ".gitignore", "geo_log_2026-01-05_14-30-00.json", "geo_log_2026-01-05_14-30-00_2.json",
                "geo_log_2026-01-05_14-30-00_3.json",
            ])
        #expect(try folder.bytes(".gitignore") == Array("*\n".utf8))
        for name in folder.names.dropFirst() {
            #expect(RecordingName.isOurs(name) && RecordingName.isOurs(name + ".gz"))
        }
        for name in [
            "geo_log_x.json", "geo_log_2026-01-05_14-30-00_x.json", "notes.json", "geo_log_2026-01-05_14-30-00.txt",
        ] {
            #expect(!RecordingName.isOurs(name))
        }
    }

    @Test func `nothing is created before the first event`() throws {
        let folder = TemporaryDirectory()
        let session = Self.session(folder) { $0.directory = folder.file("a/b") }
        try session.commit()
        try session.finish()
        #expect(folder.names.isEmpty)
        try session.take(Self.location(0), received: Self.start, uptime: nil)
        try session.commit()
        #expect(session.recordedEvents == 1 && session.path?.hasPrefix(folder.file("a/b")) == true)
    }

    @Test func `the schedule goes by the clock that only goes forward`() throws {
        let folder = TemporaryDirectory()
        let session = Self.session(folder) { $0.includesLogs = true }
        let log = GeoEvent.log(LogRecord(timestamp: Self.start, level: .info, message: "x"))
        // The wall clock is set back by an hour between the second and the third event.
        let second: Int64 = 1_000_000_000
        try session.take(Self.location(0), received: Self.start, uptime: 100 * second)
        try session.take(Self.location(1), received: Self.start + .seconds(1), uptime: 101 * second)
        try session.take(Self.location(2), received: Self.start - .seconds(3_598), uptime: 102 * second)
        try session.take(log, received: Self.start - .seconds(3_597.5), uptime: nil)
        try session.take(Self.location(3), received: Self.start - .seconds(3_597), uptime: 103 * second)
        try session.take(log, received: Self.start - .seconds(9_000), uptime: nil)
        try session.commit()
        let path = try #require(session.path)
        #expect(try RecordingRepairTests.events(path).map(\.relativeTime) == [0, 1, 2, 2.5, 3, 3])
    }

    @Test func `log records are recorded only if requested`() throws {
        let folder = TemporaryDirectory()
        let session = Self.session(folder)
        try session.take(.log(LogRecord(level: .info, message: "x")), received: Self.start, uptime: nil)
        try session.commit()
        #expect(session.path == nil)
    }

    @Test func `files are split by size and by time, between events`() throws {
        let folder = TemporaryDirectory()
        let bySize = Self.session(folder) { $0.splitSize = .bytes(2_000) }
        for index in 0..<30 {
            try bySize.splitIfDue(now: Self.start + .seconds(index))
            try bySize.take(Self.location(index), received: Self.start + .seconds(index), uptime: nil)
            try bySize.commit()
        }
        try bySize.finish()
        #expect(folder.names.count > 4)
        var total = 0
        for info in RecordingManagerTests.manager(folder).listRecordings() {
            total += info.eventCount
            #expect(info.size < 2_600 && !info.isMetadataMissing)
        }
        #expect(total == 30)
        let other = TemporaryDirectory()
        let byTime = Self.session(other) { $0.splitInterval = .seconds(10) }
        for index in 0..<30 {
            try byTime.splitIfDue(now: Self.start + .seconds(index))
            try byTime.take(Self.location(index), received: Self.start + .seconds(index), uptime: nil)
            try byTime.commit()
        }
        try byTime.finish()
        #expect(RecordingManagerTests.manager(other).listRecordings().map(\.eventCount) == [10, 10, 10])
    }

    @Test func `only the newest recordings are kept, and no other files are deleted`() throws {
        let folder = TemporaryDirectory()
        try folder.write("precious", to: "notes.json")
        let session = Self.session(folder) { $0.keepCount = 3 }
        for index in 0..<7 {
            try session.take(Self.location(0), received: Self.start + .seconds(index * 60), uptime: nil)
            try session.commit()
            try session.finish()
        }
        #expect(
            folder.names == [
                ".gitignore", "geo_log_2026-01-05_14-34-00.json", "geo_log_2026-01-05_14-35-00.json",
                "geo_log_2026-01-05_14-36-00.json", "notes.json",
            ])
        var options = RecordingOptions(directory: folder.path)
        options.keepTotal = .bytes(1)
        #expect(RecordingRetention.apply(options, current: "geo_log_2026-01-05_14-36-00.json", now: .now).count == 2)
        options.keepTotal = nil
        options.keepAge = .seconds(3_600)
        #expect(RecordingRetention.apply(options, current: nil, now: .now).isEmpty)
        #expect(RecordingRetention.apply(options, current: nil, now: Timestamp.now + .hours(2)).count == 1)
        #expect(folder.names == [".gitignore", "notes.json"])
    }

    @Test func `a directory that cannot be created is an error, and recording begins when it can`() throws {
        let folder = TemporaryDirectory()
        try folder.write("", to: "file")
        let session = Self.session(folder) { $0.directory = folder.file("file/recordings") }
        #expect(throws: RecordingError.self) {
            try session.take(Self.location(0), received: Self.start, uptime: nil)
        }
        try FileManager.default.removeItem(atPath: folder.file("file"))
        try session.take(Self.location(0), received: Self.start, uptime: nil)
        try session.commit()
        #expect(session.recordedEvents == 1)
    }

    @Test func `a recording that was not ended is continued`() throws {
        let folder = TemporaryDirectory()
        let run = RingID(0xBEEF)
        do {
            // Dropped without an end, as a crash does.
            let session = Self.session(folder)
            for index in 0..<5 {
                try session.take(Self.location(index), received: Self.start + .seconds(index), uptime: nil)
            }
            try session.commit(mark: RingMark(run: run, position: 4_711))
        }
        let path = folder.file("geo_log_2026-01-05_14-30-00.json")
        let left = RecordingLeftovers.unfinished(in: folder.path)
        #expect(left.map(\.path) == [path] && left.first?.mark == RingMark(run: run, position: 4_711))
        #expect(try RecordingWriterTests.check(path).events == 5)
        let session = Self.session(folder)
        try session.resume(path)
        try session.take(Self.location(5), received: Self.start + .seconds(5), uptime: nil)
        try session.commit(mark: RingMark(run: run, position: 4_800))
        #expect(RecordingLeftovers.unfinished(in: folder.path).map(\.mark.position) == [4_800])
        try session.finish()
        #expect(RecordingLeftovers.unfinished(in: folder.path).isEmpty)
        let events = try RecordingRepairTests.events(path)
        #expect(events.map(\.relativeTime) == [0, 1, 2, 3, 4, 5])
        #expect(
            !String(decoding: try folder.bytes("geo_log_2026-01-05_14-30-00.json"), as: UTF8.self).contains("taffrail"))
        #expect(folder.names.count == 2)
    }

    @Test func `leftover recordings are ended, and damaged ones repaired`() throws {
        let folder = TemporaryDirectory()
        for index in 0..<3 {
            let session = Self.session(folder)
            for event in 0..<5 {
                try session.take(Self.location(event), received: Self.start + .seconds(index * 60 + event), uptime: nil)
            }
            try session.commit(mark: index == 0 ? RingMark(run: RingID(1), position: 16) : nil)
        }
        let damaged = folder.file("geo_log_2026-01-05_14-32-00.json")
        try Data(folder.bytes("geo_log_2026-01-05_14-32-00.json").prefix(900)).write(to: URL(filePath: damaged))
        let problems = RecordingLeftovers.tidy(folder.path)
        #expect(problems.count == 1 && problems.first?.contains("14-32-00") == true)
        for info in RecordingManagerTests.manager(folder).listRecordings() {
            let report = try RecordingReport(checking: folder.file(info.name))
            #expect(report.isIntact && info.size < 4_000, "\(info)")
        }
        #expect(RecordingLeftovers.tidy(folder.path).isEmpty)
    }

    @Test func `zones hide a home, and not in the middle of the circle`() throws {
        let home = Coordinate(latitude: 55.6761, longitude: 12.5683)
        var options = PrivacyOptions()
        options.zones = [PrivacyZone(center: home, radius: 300)]
        let filter = PrivacyFilter(options, secret: "s")
        var generator = SeededGenerator(seed: 101)
        var border: [Double] = []
        for _ in 0..<2_000 {
            let distance = Double.random(in: 0...900, using: &generator)
            let bearing = Double.random(in: 0..<360, using: &generator)
            let place = Geodesy.destination(from: home, bearing: bearing, distance: distance)
            let passes = filter.filtered(Location(coordinate: place)) != nil
            if distance <= 300 { #expect(!passes) }
            if distance > 600 { #expect(passes) }
            if !passes { border.append(distance) }
        }
        #expect((border.max() ?? 0) > 450)
        // The same zone is shifted alike each time, and otherwise by another secret.
        let place = Geodesy.destination(from: home, bearing: 10, distance: 450)
        let verdicts = (0..<64).map {
            PrivacyFilter(options, secret: "\($0)").filtered(Location(coordinate: place)) != nil
        }
        #expect(verdicts.contains(true) && verdicts.contains(false))
        #expect(
            PrivacyFilter(options, secret: "7").filtered(Location(coordinate: place))
                == PrivacyFilter(options, secret: "7").filtered(Location(coordinate: place)))
    }

    @Test func `coarsened positions reveal only the zone, and reduced ones only the given decimals`() throws {
        let home = Coordinate(latitude: 55.6761, longitude: 12.5683)
        var options = PrivacyOptions()
        options.zones = [PrivacyZone(center: home, radius: 300, action: .coarsen)]
        options.precision = 3
        let filter = PrivacyFilter(options, secret: "s")
        var inside = Location(coordinate: home)
        inside.speed = 3
        inside.altitude = 5
        let first = try #require(filter.filtered(inside))
        inside.coordinate.latitude += 0.001
        let second = try #require(filter.filtered(inside))
        #expect(first.coordinate == second.coordinate && first.speed == nil && first.altitude == nil)
        #expect(first.horizontalAccuracy == 450 && first.coordinate != home)
        let outside = try #require(filter.filtered(Location(latitude: 10.123456, longitude: -20.987654)))
        #expect(outside.coordinate == Coordinate(latitude: 10.123, longitude: -20.988))
        #expect(PrivacyFilter(PrivacyOptions(), secret: "").isEmpty)
    }

    @Test(arguments: [false, true]) func `where zones overlap, one that drops counts`(isFirst: Bool) throws {
        let home = Coordinate(latitude: 55.6761, longitude: 12.5683)
        let house = PrivacyZone(center: home, radius: 300)
        let town = PrivacyZone(center: home, radius: 20_000, action: .coarsen)
        var options = PrivacyOptions()
        options.zones = isFirst ? [house, town] : [town, house]
        let filter = PrivacyFilter(options, secret: "s")
        #expect(filter.filtered(Location(coordinate: home)) == nil)
        let pier = filter.filtered(Location(latitude: 55.7061, longitude: 12.5983))
        #expect(pier?.horizontalAccuracy == 30_000)
    }

    @Test func `a log record does not reveal a hidden place either`() throws {
        let folder = TemporaryDirectory()
        let session = Self.session(folder) { options in
            options.includesLogs = true
            options.privacy.zones = [PrivacyZone(center: Coordinate(latitude: 1, longitude: 2), radius: 300)]
        }
        let record = LogRecord(
            timestamp: Self.start, level: .info, message: "home",
            attributes: [
                LogValueEntry("geo.location.lat", 1.0), LogValueEntry("geo.location.lon", 2.0),
                LogValueEntry("user", 7),
            ])
        try session.take(.log(record), received: Self.start, uptime: nil)
        try session.take(.location(Location(latitude: 1, longitude: 2)), received: Self.start, uptime: nil)
        try session.commit()
        let events = try RecordingRepairTests.events(try #require(session.path))
        #expect(events.count == 1)
        if case .log(let read)? = events.first?.event { #expect(read.attributes == [LogValueEntry("user", 7)]) }
    }

    @Test(arguments: [false, true])
    func `a recording that is deleted during writing is reported, counted and started again`(
        wholeDirectory: Bool
    ) throws {
        let folder = TemporaryDirectory()
        let session = Self.session(folder) { $0.directory = folder.file("drives") }
        for index in 0..<10 {
            try session.take(Self.location(index), received: Self.start + .seconds(index), uptime: nil)
            try session.commit()
        }
        let lost = try #require(session.path)
        try FileManager.default.removeItem(atPath: wholeDirectory ? folder.file("drives") : lost)
        let diagnostics = CapturedDiagnostics()
        for index in 10..<15 {
            try session.take(Self.location(index), received: Self.start + .seconds(index), uptime: nil)
            try session.commit()
        }
        let reports = diagnostics.lines(with: "\(lost) was deleted during writing: 10 events are lost")
        #expect(reports.count == 1 && reports[0].contains("starting a new recording"))
        #expect(session.lostEvents == 10 && session.recordedEvents == 15)
        try session.finish()
        #expect(folder.recordings(in: "drives").map(\.eventCount) == [5])
    }

    @Test(arguments: [false, true])
    func `a recording that another program truncates is reported, its lost events counted, and started again`(
        wasEnded: Bool
    ) throws {
        let folder = TemporaryDirectory()
        let session = Self.session(folder)
        for index in 0..<10 {
            try session.take(Self.location(index), received: Self.start + .seconds(index), uptime: nil)
            try session.commit(mark: RingMark(run: RingID(1), position: UInt64(index + 1)))
        }
        let path = try #require(session.path)
        if wasEnded {
            // What it has is complete, without the mark and the space for more.
            let text = String(decoding: try folder.bytes(String(path.split(separator: "/").last ?? "")), as: UTF8.self)
            let start = try #require(text.range(of: "\"taffrail\""))
            let end = try #require(text.range(of: "\"metadata\""))
            var whole = text.replacingCharacters(in: start.lowerBound..<end.lowerBound, with: "")
            while whole.last == " " { whole.removeLast() }
            truncate(path, 0)
            let file = try FileDescriptor(updating: path)
            try file.write(Array(whole.utf8), at: 0)
        } else {
            truncate(path, 0)
        }
        let diagnostics = CapturedDiagnostics()
        for index in 10..<15 {
            try session.take(Self.location(index), received: Self.start + .seconds(index), uptime: nil)
            try session.commit()
        }
        let lost = wasEnded ? 0 : 10
        let reports = diagnostics.lines(with: "\(path) was truncated during writing: \(lost) events are lost")
        #expect(reports.count == 1)
        #expect(session.lostEvents == lost && session.recordedEvents == 15 && session.path != path)
        try session.finish()
        #expect(folder.recordings().compactMap(\.eventCount).reduce(0, +) == (wasEnded ? 15 : 5))
    }

    @Test func `a flush and an end of a recording that was deleted fail, once`() throws {
        let folder = TemporaryDirectory()
        let session = Self.session(folder)
        for round in 1...2 {
            try session.take(Self.location(0), received: Self.start + .seconds(round), uptime: nil)
            try session.commit()
            try FileManager.default.removeItem(atPath: try #require(session.path))
            let error = #expect(throws: RecordingError.self) {
                if round == 1 { try session.flush() } else { try session.finish() }
            }
            #expect(error?.kind == .missing && session.lostEvents == round && session.path == nil)
            try session.flush()
            try session.finish()
        }
    }

    @Test func `a recording may begin before its first event`() throws {
        let folder = TemporaryDirectory()
        let session = Self.session(folder)
        try session.begin(at: Self.start, uptime: 5_000_000_000)
        #expect(folder.recordings().map(\.eventCount) == [0])
        try session.take(Self.location(0), received: Self.start + .seconds(2.5), uptime: 7_500_000_000)
        try session.commit()
        let path = try #require(session.path)
        #expect(try RecordingRepairTests.events(path).map(\.relativeTime) == [2.5])
        #expect(session.metadata?.recordedAt == Self.start)
    }

    @Test func `a start whose file could not be created then still counts`() throws {
        let folder = TemporaryDirectory()
        try folder.write("", to: "drives")
        let session = Self.session(folder) { $0.directory = folder.file("drives") }
        #expect(throws: RecordingError.self) { try session.begin(at: Self.start, uptime: nil) }
        try FileManager.default.removeItem(atPath: folder.file("drives"))
        try session.take(Self.location(0), received: Self.start + .seconds(3), uptime: nil)
        try session.commit()
        let path = try #require(session.path)
        #expect(try RecordingRepairTests.events(path).map(\.relativeTime) == [3])
    }
}
