import Foundation
import Synchronization
import Taffrail
import TaffrailGeoTesting
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeo
@testable import TaffrailLocationManager
@testable import TaffrailRecording
@testable import TaffrailText

@Suite(.mayBlock) struct GeoLoggerReplayTests {
    static func logger(
        _ folder: TemporaryDirectory, _ name: String? = "a.json", loops: Bool = false, speed: Double = 10_000
    ) -> (GeoLogger, MockLocationManager, Told) {
        GeoLoggerTests.logger(.replay, folder) {
            $0.replayFileName = name
            $0.replaySpeedMultiplier = speed
            $0.loopReplay = loops
        }
    }

    @Test func `a recording is passed to the delegate, on its queue, marked as simulated`() async throws {
        let folder = TemporaryDirectory()
        try SampleDrive.write(10, to: folder.file("a.json"))
        let (logger, mock, told) = Self.logger(folder)
        logger.startUpdatingLocation()
        #expect(await eventually { told.locations.count == 10 })
        #expect(told.locations.map { Int($0.coordinate.latitude) } == Array(0..<10))
        #expect(told.locations.allSatisfy(\.isSimulated) && told.errors.isEmpty && told.strayed == 0)
        #expect(told.words.first == "authorization authorizedAlways")
        #expect(logger.location?.coordinate.latitude == 9 && logger.authorizationStatus == .authorizedAlways)
        #expect(!mock.isRunning)
        // It has ended, and can start again.
        #expect(
            await eventually {
                logger.startUpdatingLocation()
                return told.locations.count > 10
            })
        logger.stopUpdatingLocation()
        #expect(folder.names == ["a.json"])
    }

    @Test func `a replay needs no receiver, not even for its authorization`() async throws {
        let folder = TemporaryDirectory()
        try SampleDrive.write(3, to: folder.file("a.json"))
        let (logger, mock, told) = Self.logger(folder)
        #expect(logger.authorizationStatus == .notDetermined)
        logger.requestWhenInUseAuthorization()
        logger.requestAlwaysAuthorization()
        logger.requestLocation()
        #expect(await eventually { told.words == ["authorization authorizedAlways", "error 0"] }, "\(told.words)")
        #expect(!mock.isRunning && mock.feed.authorization == .notDetermined)
        logger.startUpdatingLocation()
        #expect(await eventually { told.locations.count == 3 })
        #expect(told.errors.count == 1 && mock.feed.authorization == .notDetermined)
    }

    @Test func `speed counts, and a second start is ignored`() async throws {
        let folder = TemporaryDirectory()
        try SampleDrive.write(3, to: folder.file("a.json"))
        let (logger, _, told) = Self.logger(folder, speed: 20)
        let begin = SystemClock.monotonicNanoseconds()
        logger.startUpdatingLocation()
        logger.startUpdatingLocation()
        #expect(await eventually { told.locations.count >= 3 })
        #expect(SystemClock.monotonicNanoseconds() - begin >= 100_000_000 && told.locations.count == 3)
    }

    @Test func `a looping replay continues until it is stopped, and jumps are not reported as errors`() async throws {
        let folder = TemporaryDirectory()
        try SampleDrive.write(2, to: folder.file("a.json"))
        let (logger, _, told) = Self.logger(folder, loops: true)
        logger.startUpdatingLocation()
        #expect(await eventually { told.locations.count >= 6 })
        logger.stopUpdatingLocation()
        #expect(told.errors.isEmpty)
    }

    @Test func `a missing recording is reported at once`() async throws {
        let folder = TemporaryDirectory()
        let (logger, mock, told) = Self.logger(folder, "none.json")
        logger.startUpdatingLocation()
        #expect(await eventually { told.errors.count == 1 })
        #expect((told.errors.first as? RecordingError)?.kind == .missing && !mock.isRunning)
        let (nameless, _, other) = Self.logger(folder, nil)
        nameless.startUpdatingLocation()
        #expect(await eventually { other.errors.count == 1 })
        #expect((other.errors.first as? OptionError)?.option == "replayFileName")
        let (fast, _, third) = Self.logger(folder, speed: 0)
        fast.startUpdatingLocation()
        #expect(await eventually { (third.errors.first as? OptionError)?.option == "rate" })
    }

    @Test func `a replay for which there is no thread ends with an error`() throws {
        let folder = TemporaryDirectory()
        let (logger, mock, _) = Self.logger(folder)
        let replay = try LoggerReplay(logger.configuration, like: mock.manager) { _ in }
        let ends = Locked<[RecordingError?]>([])
        replay.start({ error, _ in ends.withLock { $0.append(error) } }, on: { _ in false })
        let error = ends.withLock { $0.first ?? nil }
        #expect(error?.kind == .system && error?.path == folder.file("a.json"))
    }

    @Test func `points of a track that cannot be read are skipped and reported`() async throws {
        let folder = TemporaryDirectory()
        let rows = ["1,2,2026-01-05T14:30:00Z", "x,2,2026-01-05T14:30:01Z", "3,2,2026-01-05T14:30:02Z"]
        try folder.write("lat,lon,time\n" + rows.joined(separator: "\n") + "\n", to: "skipped-drive.csv")
        let diagnostics = CapturedDiagnostics()
        let (logger, _, told) = Self.logger(folder, "skipped-drive.csv")
        logger.startUpdatingLocation()
        #expect(await eventually { told.locations.count == 2 })
        let reason = "x is not a number for latitude; the point is skipped"
        #expect(
            await eventually { diagnostics.lines(with: reason).contains { $0.contains("/skipped-drive.csv:3: ") } })
        #expect(await eventually { !diagnostics.lines(with: "GeoLogger: 1 point was skipped").isEmpty })
    }

    @Test func `a damaged recording is replayed up to the damage, and then positions pass through`() async throws {
        let folder = TemporaryDirectory()
        try SampleDrive.write(5, to: folder.file("whole.json"))
        let lines = String(decoding: try folder.bytes("whole.json"), as: UTF8.self).split(separator: "\n")
        try folder.write(lines[..<4].joined(separator: "\n") + "\n{\"type\":", to: "damaged-drive.json")
        let diagnostics = CapturedDiagnostics()
        let (logger, mock, told) = Self.logger(folder, "damaged-drive.json")
        logger.startUpdatingLocation()
        #expect(await eventually { mock.isRunning && told.locations.count == 3 })
        mock.send(GeoLoggerTests.fix(7))
        #expect(await eventually { told.locations.count == 4 })
        #expect(told.locations.last == GeoLoggerTests.fix(7) && logger.location == GeoLoggerTests.fix(7))
        let said = diagnostics.lines(with: "damaged-drive.json:5: byte")
        #expect(said.count == 1 && said.first?.contains("3 events before that") == true)
        logger.stopUpdatingLocation()
        #expect(!mock.isRunning)
    }
}
