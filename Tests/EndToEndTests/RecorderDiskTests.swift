#if Command
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTesting
import Testing

/// What happens to a recording when the disk does not do what it should.
@Suite struct RecorderDiskTests {
    /// `taffrail record` of a receiver that the test plays.
    private struct Recording {
        let server: StreamServer
        let command: Command
        private var second = 0

        init(in folder: Folder, directory: String, environment: [String: String] = [:]) throws {
            server = try StreamServer(host: "127.0.0.1", port: 0)
            command = try Command(
                ["record", "--from", "nmea:tcp://127.0.0.1:\(server.port)", "--directory", directory], in: folder,
                environment: environment)
            let server = server
            #expect(eventually { server.clientCount == 1 })
        }

        mutating func receive(_ seconds: Int) {
            server.send(Array(Receiver.sentences(second..<second + seconds).utf8))
            second += seconds
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `a full disk is said, keeps what is written, and recording goes on when there is space`() throws {
        let disk = try SmallDisk("12m")
        let folder = disk.folder
        let outside = try Folder()
        var recording = try Recording(in: outside, directory: folder.file("drives"))
        recording.receive(10)
        #expect(eventually { folder.count("drives") >= 9 })
        try disk.fill()
        recording.receive(900)
        #expect(eventually { outside.text("errors").contains("No space left") }, "\(outside.text("errors"))")
        let kept = try folder.events("drives").count
        #expect(kept >= 9 && kept < 900)
        disk.free()
        recording.receive(10)
        #expect(eventually { folder.count("drives") >= 919 })
        recording.command.send(SIGTERM)
        #expect(recording.command.wait() == 0)
        #expect(try folder.events("drives").compactMap(\.location).count == 920)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `what a program that is killed on a full disk had in its queue is recorded by the next run`() throws {
        let disk = try SmallDisk("12m")
        let folder = disk.folder
        let outside = try Folder()
        var recording = try Recording(in: outside, directory: folder.file("drives"))
        recording.receive(10)
        #expect(eventually { folder.count("drives") >= 9 })
        try disk.fill()
        recording.receive(900)
        // The recorder has been given something that does not fit, and that is still in the queue.
        #expect(
            eventually {
                outside.text("errors").split(separator: "\n").contains {
                    $0.contains("sink geo-recorder: ") && $0.contains("No space left")
                }
            }, "\(outside.text("errors"))")
        recording.command.send(SIGKILL)
        recording.command.wait()
        let kept = try folder.events("drives").compactMap(\.location)
        #expect(kept.count >= 9)
        disk.free()
        let next = try Recording(in: outside, directory: folder.file("drives"))
        next.command.send(SIGTERM)
        #expect(next.command.wait() == 0)
        // All that was in the queue, each once and without a gap; what was still in the socket is nobody's yet.
        let all = try folder.events("drives").compactMap(\.location)
        #expect(all.count > kept.count)
        let start = try #require(all.first).timestamp.nanoseconds
        #expect(all.map { ($0.timestamp.nanoseconds - start) / 1_000_000_000 } == (0..<Int64(all.count)).map { $0 })
    }

    @Test(.enabled(if: FailingWrites.compiler != nil, "there is no C compiler"))
    func `EIO is said and retried, and nothing is lost`() throws {
        let folder = try Folder()
        let switched = folder.file("fail")
        var recording = try Recording(
            in: folder, directory: folder.file("drives"),
            environment: ["LD_PRELOAD": try FailingWrites.library(in: folder), "FAIL_WHILE": switched])
        recording.receive(10)
        #expect(eventually { folder.count("drives") >= 9 })
        try folder.write("", to: "fail")
        recording.receive(900)
        #expect(eventually { folder.text("errors").contains("Input/output error") }, "\(folder.text("errors"))")
        #expect(try folder.events("drives").count < 900)
        unlink(switched)
        recording.receive(10)
        #expect(eventually { folder.count("drives") >= 919 })
        recording.command.send(SIGTERM)
        #expect(recording.command.wait() == 0)
        #expect(try folder.events("drives").compactMap(\.location).count == 920)
    }

    @Test func `a folder that may not be written is refused by name`() throws {
        let folder = try Folder()
        try folder.write(Receiver.sentences(0..<3), to: "log.nmea")
        // Not even root may make files there.
        let (code, _) = try Command.run(
            ["record", "--from", "nmea:\(folder.file("log.nmea"))", "--directory", "/proc/drives"], in: folder)
        #expect(code == 73)
        #expect(folder.text("errors").contains("/proc/drives"))
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system read-only needs root"))
    func `a read-only directory is said, and GeoLogger's delegate is told`() throws {
        let disk = try SmallDisk("64k")
        #expect(mount("tmpfs", disk.folder.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0)
        let diagnostics = CapturedDiagnostics()
        let queue = DispatchQueue(label: "read-only")
        let mock = MockLocationManager(queue: queue)
        var configuration = GeoLoggerConfiguration()
        configuration.mode = .record
        configuration.directory = URL(filePath: disk.folder.path)
        let logger = GeoLogger(configuration: configuration, locationManager: mock.manager)
        let delegate = LastWords()
        logger.delegate = delegate
        logger.startUpdatingLocation()
        mock.send(Location(latitude: 55, longitude: 12))
        #expect(eventually { queue.sync { delegate.errors.contains { ($0 as? GeoError)?.knownCode == .denied } } })
        logger.stopUpdatingLocation()
        #expect(queue.sync { delegate.locations } == 1)
        #expect(!diagnostics.lines(with: disk.folder.path).isEmpty)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `GeoLogger ends its recording on a full disk and keeps what is written`() throws {
        let disk = try SmallDisk("1m")
        let diagnostics = CapturedDiagnostics()
        let queue = DispatchQueue(label: "full")
        let mock = MockLocationManager(queue: queue)
        var configuration = GeoLoggerConfiguration()
        configuration.mode = .record
        configuration.directory = URL(filePath: disk.folder.file("drives"))
        let logger = GeoLogger(configuration: configuration, locationManager: mock.manager)
        let delegate = LastWords()
        logger.delegate = delegate
        logger.startUpdatingLocation()
        mock.send(Location(latitude: 55, longitude: 12))
        #expect(eventually { disk.folder.count("drives") == 1 })
        try disk.fill()
        for index in 0..<2_000 { mock.send(Location(latitude: 55 + Double(index) / 1e4, longitude: 12)) }
        #expect(eventually { queue.sync { delegate.errors.contains { ($0 as? RecordingError)?.kind == .full } } })
        logger.stopUpdatingLocation()
        #expect(queue.sync { delegate.locations } == 2_001)
        #expect(try disk.folder.events("drives").count >= 1)
        withExtendedLifetime(diagnostics) {}
    }
}

/// Counts what it is told.
private final class LastWords: GeoLoggerDelegate {
    var locations = 0
    var errors: [any Error] = []

    func geoLogger(_ logger: GeoLogger, didUpdateLocations locations: [Location]) { self.locations += locations.count }
    func geoLogger(_ logger: GeoLogger, didFailWithError error: any Error) { errors.append(error) }
}
#endif
