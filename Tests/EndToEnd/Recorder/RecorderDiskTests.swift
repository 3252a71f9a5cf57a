#if Command
import Foundation
import Glibc
import TaffrailGeo
import TaffrailGeoTesting
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailLocationManager
@testable import TaffrailRecording
@testable import TaffrailTransport

/// Recordings on a failing disk.
@Suite(.mayBlock) struct RecorderDiskTests {
    /// `taffrail record` of a receiver that the test plays.
    private struct Recording {
        let server: StreamServer
        let command: Program
        private var second = 0

        init(in folder: TemporaryDirectory, directory: String, environment: [String: String] = [:]) async throws {
            server = try StreamServer(host: "127.0.0.1", port: 0)
            command = try Program(
                ["record", "--from", "nmea:tcp://127.0.0.1:\(server.port)", "--directory", directory], in: folder,
                environment: environment)
            let server = server
            #expect(await eventually { server.clientCount == 1 })
        }

        mutating func receive(_ seconds: Int) {
            server.send(Array(Receiver.sentences(second..<second + seconds).utf8))
            second += seconds
        }
    }

    /// A recording of ten positions and more on a full disk, which the recorder has reported.
    private static func onFullDisk() async throws -> (
        disk: SmallDisk, outside: TemporaryDirectory, recording: Recording
    ) {
        let (disk, outside) = (try SmallDisk("12m"), TemporaryDirectory())
        var recording = try await Recording(in: outside, directory: disk.directory.file("drives"))
        recording.receive(10)
        #expect(await eventually { disk.directory.count("drives") >= 9 })
        try disk.fill()
        recording.receive(900)
        #expect(
            await eventually {
                outside.text("errors").split(separator: "\n").contains {
                    $0.contains("sink geo-recorder: ") && $0.contains("No space left")
                }
            }, "\(outside.text("errors"))")
        return (disk, outside, recording)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `a full disk is reported, written events stay, and recording continues when there is space`() async throws {
        var (disk, outside, recording) = try await Self.onFullDisk()
        let folder = disk.directory
        let kept = try folder.events("drives").count
        #expect(kept >= 9 && kept < 900)
        try disk.free()
        recording.receive(10)
        #expect(await eventually { folder.count("drives") >= 919 })
        recording.command.send(SIGTERM)
        #expect(await recording.command.wait() == 0)
        #expect(try folder.events("drives").compactMap(\.location).count == 920)
        withExtendedLifetime(outside) {}
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `the queue of a program killed on a full disk is recorded by the next run`() async throws {
        let (disk, outside, recording) = try await Self.onFullDisk()
        let folder = disk.directory
        recording.command.send(SIGKILL)
        await recording.command.wait()
        let kept = try folder.events("drives").compactMap(\.location)
        #expect(kept.count >= 9)
        // Events that did not fit are still in the queue.
        let queued = try Self.queuedLocations(in: folder.file("drives"))
        #expect(queued > 0)
        try disk.free()
        let next = try await Recording(in: outside, directory: folder.file("drives"))
        // At least: a silent receiver becomes an event after a while.
        #expect(await eventually { folder.count("drives") >= kept.count + queued })
        next.command.send(SIGTERM)
        // It has received no position itself.
        #expect(await next.command.wait() == 69)
        let errors = outside.text("errors")
        #expect(errors.contains("no position was received: "), "\(errors)")
        #expect(errors.contains("; \(queued) positions from the queue of an earlier run were recorded"), "\(errors)")
        // All records of the queue, each once and without a gap; data still in the socket does not count yet.
        let all = try folder.events("drives").compactMap(\.location)
        #expect(all.count == kept.count + queued)
        let start = try #require(all.first).timestamp.nanoseconds
        #expect(all.map { ($0.timestamp.nanoseconds - start) / 1_000_000_000 } == (0..<Int64(all.count)).map { $0 })
    }

    /// The number of positions in a dead run's queue after the position up to which its recording has them.
    private static func queuedLocations(in directory: String) throws -> Int {
        let mark = try #require(RecordingLeftovers.unfinished(in: directory).first).mark
        let path = RecordingLeftovers.queueDirectory(of: directory) + "/\(mark.run).ring"
        guard case .readable(let ring) = RingFile.inspect(path) else { return 0 }
        var (place, sequence, count) = (mark.position, UInt64(1), 0)
        while let stretch = try ring.next(from: place, sequence: &sequence) {
            stretch.forEach { if GeoEvent(LogRecord($0)).location != nil { count += 1 } }
            place = stretch.end
        }
        return count
    }

    @Test(.enabled(if: FailingWrites.compiler != nil, "there is no C compiler"))
    func `EIO is reported and retried, and nothing is lost`() async throws {
        let folder = TemporaryDirectory()
        let switched = folder.file("fail")
        var recording = try await Recording(
            in: folder, directory: folder.file("drives"),
            environment: ["LD_PRELOAD": try await FailingWrites.library(in: folder), "FAIL_WHILE": switched])
        recording.receive(10)
        #expect(await eventually { folder.count("drives") >= 9 })
        try folder.write("", to: "fail")
        recording.receive(900)
        #expect(await eventually { folder.text("errors").contains("Input/output error") }, "\(folder.text("errors"))")
        #expect(try folder.events("drives").count < 900)
        unlink(switched)
        recording.receive(10)
        #expect(await eventually { folder.count("drives") >= 919 })
        recording.command.send(SIGTERM)
        #expect(await recording.command.wait() == 0)
        #expect(try folder.events("drives").compactMap(\.location).count == 920)
    }

    @Test(
        .enabled(if: FailingWrites.compiler != nil, "there is no C compiler"),
        arguments: ["flush_events: 10, flush_interval: 1h", "flush_events: 1000, flush_interval: 100ms"])
    func `the recording is made durable after a number of events, or a time`(options: String) async throws {
        let folder = TemporaryDirectory()
        let server = try StreamServer(host: "127.0.0.1", port: 0)
        defer { server.close(timeout: .zero) }
        try folder.write(
            """
            plugins:
              nmea: { source: "tcp://127.0.0.1:\(server.port)", silence: 1h }
              geo-recorder: { directory: \(folder.file("drives")), \(options) }
            """, to: "taffrail.yaml")
        let command = try Program(
            ["run", "--config", folder.file("taffrail.yaml")], in: folder,
            environment: [
                "LD_PRELOAD": try await FailingWrites.library(in: folder), "NOTE_SYNC": folder.file("synced"),
                "XDG_STATE_HOME": folder.path,
            ])
        #expect(await eventually { server.clientCount == 1 }, "\(folder.text("errors"))")
        server.send(Array(Receiver.sentences(0..<6).utf8))
        #expect(await eventually { folder.count("drives") >= 5 })
        if options.hasSuffix("1h") {
            // Not one by one: nine are not yet ten.
            server.send(Array(Receiver.sentences(6..<9).utf8))
            #expect(await eventually { folder.count("drives") == 9 })
            #expect(folder.text("synced").isEmpty)
            server.send(Array(Receiver.sentences(9..<12).utf8))
        }
        #expect(await eventually { !folder.text("synced").isEmpty })
        command.send(SIGTERM)
        #expect(await command.wait() == 0)
        #expect(try folder.events("drives").compactMap(\.location).count == (options.hasSuffix("1h") ? 12 : 6))
    }

    @Test func `a folder that may not be written is refused by name`() async throws {
        let folder = TemporaryDirectory()
        try folder.write(Receiver.sentences(0..<3), to: "log.nmea")
        // Not even root may make files there.
        let (code, _, _) = try await Program.run(
            ["record", "--from", "nmea:\(folder.file("log.nmea"))", "--directory", "/proc/drives"], in: folder)
        #expect(code == 73)
        #expect(folder.text("errors").contains("/proc/drives"))
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system read-only needs root"))
    func `a read-only directory is reported, also to GeoLogger's delegate`() async throws {
        let disk = try SmallDisk("64k")
        try disk.setReadOnly(true)
        let diagnostics = CapturedDiagnostics()
        let queue = DispatchQueue(label: "read-only")
        let mock = MockLocationManager(queue: queue)
        var configuration = GeoLoggerConfiguration()
        configuration.mode = .record
        configuration.directory = URL(filePath: disk.directory.path)
        let logger = GeoLogger(configuration: configuration, locationManager: mock.manager)
        let delegate = LastWords()
        logger.delegate = delegate
        logger.startUpdatingLocation()
        mock.send(Location(latitude: 55, longitude: 12))
        #expect(
            await eventually { queue.sync { delegate.errors.contains { ($0 as? GeoError)?.knownCode == .denied } } })
        logger.stopUpdatingLocation()
        #expect(queue.sync { delegate.locations } == 1)
        #expect(!diagnostics.lines(with: disk.directory.path).isEmpty)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `GeoLogger ends its recording on a full disk and keeps the written events`() async throws {
        let disk = try SmallDisk("1m")
        let diagnostics = CapturedDiagnostics()
        let queue = DispatchQueue(label: "full")
        let mock = MockLocationManager(queue: queue)
        var configuration = GeoLoggerConfiguration()
        configuration.mode = .record
        configuration.directory = URL(filePath: disk.directory.file("drives"))
        let logger = GeoLogger(configuration: configuration, locationManager: mock.manager)
        let delegate = LastWords()
        logger.delegate = delegate
        logger.startUpdatingLocation()
        mock.send(Location(latitude: 55, longitude: 12))
        #expect(await eventually { disk.directory.count("drives") == 1 })
        try disk.fill()
        for index in 0..<2_000 { mock.send(Location(latitude: 55 + Double(index) / 1e4, longitude: 12)) }
        #expect(await eventually { queue.sync { delegate.errors.contains { ($0 as? RecordingError)?.kind == .full } } })
        logger.stopUpdatingLocation()
        #expect(queue.sync { delegate.locations } == 2_001)
        #expect(try disk.directory.events("drives").count >= 1)
        withExtendedLifetime(diagnostics) {}
    }
}

/// Counts events.
private final class LastWords: GeoLoggerDelegate {
    var locations = 0
    var errors: [any Error] = []

    func geoLogger(_ logger: GeoLogger, didUpdateLocations locations: [Location]) { self.locations += locations.count }
    func geoLogger(_ logger: GeoLogger, didFailWithError error: any Error) { errors.append(error) }
}
#endif
