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

@Suite(.mayBlock) struct GeoLoggerTests {
    static func fix(_ index: Int) -> Location { LocationManagerTests.fix(Double(index), at: Double(index)) }

    static func logger(
        _ mode: GeoLoggerMode, _ folder: TemporaryDirectory, _ change: (inout GeoLoggerConfiguration) -> Void = { _ in }
    ) -> (GeoLogger, MockLocationManager, Told) {
        let told = Told()
        let mock = MockLocationManager(queue: told.queue)
        var configuration = GeoLoggerConfiguration()
        configuration.mode = mode
        configuration.directory = URL(filePath: folder.path)
        change(&configuration)
        let logger = GeoLogger(configuration: configuration, locationManager: mock.manager)
        logger.delegate = told
        return (logger, mock, told)
    }

    static func events(_ folder: TemporaryDirectory) throws -> [GeoEvent] {
        let manager = RecordingManager(directory: URL(filePath: folder.path))
        let info = try #require(manager.listRecordings().first)
        #expect(try manager.verifyRecording(name: info.name).isIntact)
        var reader = try RecordingReader(path: folder.file(info.name))
        var events: [GeoEvent] = []
        while let event = try reader.next() { events.append(event.event) }
        #expect(info.eventCount == events.count)
        return events
    }

    @Test func `a route is recorded while the delegate receives it`() throws {
        let folder = TemporaryDirectory()
        let (logger, mock, told) = Self.logger(.record, folder)
        logger.requestWhenInUseAuthorization()
        logger.startUpdatingLocation()
        for index in 0..<25 {
            mock.send(Self.fix(index))
            if index == 10 { mock.fail(.locationUnknown("tunnel")) }
        }
        logger.stopUpdatingLocation()
        let events = try Self.events(folder)
        #expect(events.compactMap(\.location).map(\.timestamp) == (0..<25).map { Self.fix($0).timestamp })
        #expect(events.compactMap(\.error) == [.locationUnknown("tunnel")] && events[11].error != nil)
        #expect(told.locations.count == 25 && told.errors.count == 1 && told.strayed == 0)
        #expect(told.words.first == "authorization authorizedAlways")
        mock.send(Self.fix(30))
        #expect(try Self.events(folder).count == 26)
    }

    @Test func `passthrough records nothing`() throws {
        let folder = TemporaryDirectory()
        let (logger, mock, told) = Self.logger(.passthrough, folder)
        logger.startUpdatingLocation()
        for index in 0..<5 { mock.send(Self.fix(index)) }
        logger.stopUpdatingLocation()
        #expect(told.locations.count == 5 && folder.names.isEmpty && !mock.isRunning)
        #expect(logger.location == Self.fix(4) && logger.authorizationStatus == .authorizedAlways)
    }

    @Test func `a second start, and a change of the configuration while running, are ignored`() throws {
        let folder = TemporaryDirectory()
        let (logger, mock, _) = Self.logger(.record, folder)
        logger.startUpdatingLocation()
        logger.startUpdatingLocation()
        let diagnostics = CapturedDiagnostics()
        logger.configuration.mode = .passthrough
        withExtendedLifetime(diagnostics) {}
        #expect(logger.configuration.mode == .record)
        mock.send(Self.fix(0))
        logger.stopUpdatingLocation()
        #expect(try Self.events(folder).count == 1 && folder.names.filter { $0.hasSuffix(".json") }.count == 1)
        logger.configuration.mode = .passthrough
        #expect(logger.configuration.mode == .passthrough)
    }

    @Test func `each start records into a separate file`() throws {
        let folder = TemporaryDirectory()
        let (logger, mock, _) = Self.logger(.record, folder)
        for round in 0..<3 {
            logger.startUpdatingLocation()
            mock.send(Self.fix(round))
            logger.stopUpdatingLocation()
        }
        #expect(folder.names.filter { $0.hasSuffix(".json") }.count == 3)
    }

    @Test func `a logger that is released leaves a complete recording`() async throws {
        let folder = TemporaryDirectory()
        do {
            let (logger, mock, _) = Self.logger(.record, folder)
            logger.startUpdatingLocation()
            for index in 0..<5 { mock.send(Self.fix(index)) }
        }
        let manager = RecordingManager(directory: URL(filePath: folder.path))
        #expect(await eventually { manager.listRecordings().first?.eventCount == 5 })
        #expect(try Self.events(folder).count == 5)
    }

    @Test func `recordings of an earlier run are ended when recording starts`() throws {
        let folder = TemporaryDirectory()
        let left = folder.file("geo_log_2026-01-05_14-30-00.json")
        try Data("{\"events\":[\n{\"type\":\"error\",\"timestamp\":\"2026-01-05T14:30:00Z\",\"relat".utf8)
            .write(to: URL(filePath: left))
        let diagnostics = CapturedDiagnostics()
        let (logger, mock, _) = Self.logger(.record, folder)
        logger.startUpdatingLocation()
        mock.send(Self.fix(0))
        logger.stopUpdatingLocation()
        withExtendedLifetime(diagnostics) {}
        let report = try RecordingReport(checking: left)
        #expect(report.isIntact)
    }

    @Test func `an unwritable directory is reported to the delegate, and updates continue`() throws {
        let folder = TemporaryDirectory()
        // A file in place of the directory cannot be replaced by one, not even by root.
        try folder.write("", to: "file")
        let (logger, mock, told) = Self.logger(.record, folder) {
            $0.directory = URL(filePath: folder.file("file"))
        }
        let diagnostics = CapturedDiagnostics()
        logger.startUpdatingLocation()
        mock.send(Self.fix(0))
        logger.stopUpdatingLocation()
        mock.manager.startUpdatingLocation()
        withExtendedLifetime(diagnostics) {}
        #expect(told.locations.count == 1)
        #expect(told.errors.contains { $0 is RecordingError })
    }

    @Test func `home zones and precision hold before a byte is written`() throws {
        let folder = TemporaryDirectory()
        let (logger, mock, told) = Self.logger(.record, folder) {
            $0.recording.privacy.precision = 3
            $0.recording.privacy.zones = [PrivacyZone(center: LocationManagerTests.home, radius: 100)]
        }
        logger.startUpdatingLocation()
        mock.send(Self.fix(0), Self.fix(5_000))
        logger.stopUpdatingLocation()
        let recorded = try Self.events(folder).compactMap(\.location)
        #expect(recorded.count == 1 && told.locations.count == 2)
        let latitude = (recorded.first?.coordinate.latitude ?? 0) * 1_000
        #expect(abs(latitude - latitude.rounded()) < 1e-6)
    }

    @Test func `many threads may call it at once`() async throws {
        let folder = TemporaryDirectory()
        let (logger, mock, _) = Self.logger(.record, folder)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for index in 0..<50 {
                        switch (thread + index) % 4 {
                        case 0: logger.startUpdatingLocation()
                        case 1: logger.stopUpdatingLocation()
                        default: mock.send(Self.fix(index))
                        }
                    }
                }
            }
        }
        logger.stopUpdatingLocation()
        let manager = RecordingManager(directory: URL(filePath: folder.path))
        for info in manager.listRecordings() { #expect(try manager.verifyRecording(name: info.name).isIntact) }
    }

    @Test func `a recording starts with the call, not with the first position`() async throws {
        let folder = TemporaryDirectory()
        let (logger, mock, _) = Self.logger(.record, folder)
        let before = Timestamp.now
        logger.startUpdatingLocation()
        let manager = RecordingManager(directory: URL(filePath: folder.path))
        // The file exists before anything happens.
        #expect(await eventually { manager.listRecordings().first?.eventCount == 0 })
        #expect(await eventually { logger.recordingName == manager.listRecordings().first?.name })
        let began = try #require(manager.listRecordings().first).start
        let sent = Timestamp.now
        mock.send(Self.fix(0))
        logger.stopUpdatingLocation()
        var reader = try RecordingReader(path: folder.file(try #require(manager.listRecordings().first).name))
        let event = try #require(try reader.next())
        #expect(began.seconds(since: before) > -0.002 && began.seconds(since: sent) <= 0.001)
        // The time to the first position is not lost.
        #expect(event.relativeTime >= sent.seconds(since: began) - 0.01)
    }

    @Test func `a recording without any position is a complete file`() throws {
        let folder = TemporaryDirectory()
        let (logger, _, _) = Self.logger(.record, folder)
        logger.startUpdatingLocation()
        logger.stopUpdatingLocation()
        #expect(try Self.events(folder).isEmpty)
    }
}
