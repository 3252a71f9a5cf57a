#if Command
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import TaffrailText
import Testing

@testable import TaffrailRecording
@testable import TaffrailTracks

/// Several receivers in one recording, or at one gpsd, of which a command takes one.
@Suite(.mayBlock) struct DeviceTests {
    /// Writes a recording of two receivers in turn, and an error of neither.
    private static func writeRecording(to path: String) throws {
        let writer = try RecordingWriter(path: path, metadata: RecordingMetadata(recordedAt: Drive.start))
        for index in 0..<20 {
            var event = GPSDAnswersTests.event(index, device: index.isMultiple(of: 2) ? "/dev/a" : "/dev/b")
            if case .location(var location) = event.event {
                location.coordinate.latitude = index.isMultiple(of: 2) ? 10 : 20
                event.event = .location(location)
            }
            writer.append(event)
        }
        try writer.close()
    }

    /// The latitudes of NMEA sentences.
    private static func latitudes(_ text: String) -> [Double] {
        var parser = NMEAParser()
        var fixes: [Double] = []
        parser.read(text.utf8) { if let location = $0.location { fixes.append(location.coordinate.latitude) } }
        parser.finish { if let location = $0.location { fixes.append(location.coordinate.latitude) } }
        return fixes
    }

    @Test(arguments: [("/dev/a", 10.0), ("/dev/b", 20.0)])
    func `replay replays one receiver of several`(device: String, latitude: Double) throws {
        let folder = TemporaryDirectory()
        try Self.writeRecording(to: folder.file("drive.json"))
        let arguments = ["replay", folder.file("drive.json"), "--to", "stdout", "--as-fast-as-possible"]
        let one = try Program.run(arguments + ["--device", device])
        #expect(one.code == 0 && Self.latitudes(one.output) == Array(repeating: latitude, count: 10), "\(one.errors)")
    }

    /// Records a gpsd with two receivers, of which `/dev/b` then loses its fix.
    private static func record(_ arguments: [String]) throws -> [GeoEvent] {
        let folder = TemporaryDirectory()
        let server = try GPSDServer(host: "127.0.0.1", port: 0, device: "/dev/a")
        defer { server.close() }
        // Both are known before a client comes.
        server.send(GPSDAnswersTests.event(0, device: "/dev/a"))
        server.send(GPSDAnswersTests.event(1, device: "/dev/b"))
        let command = try Program(
            ["record", "--from", "gpsd://127.0.0.1:\(server.port)", "--directory", folder.file("drives")] + arguments,
            in: folder, output: "out", errors: "err")
        defer { command.kill() }
        #expect(waited { server.listeners == 1 })
        var index = 2
        func send(_ devices: [String]) {
            for device in devices {
                server.send(GPSDAnswersTests.event(index, device: device))
                index += 1
            }
        }
        let isRecorded = waited {
            send(["/dev/a", "/dev/b"])
            return folder.recordings(in: "drives").contains { $0.eventCount >= 5 }
        }
        #expect(isRecorded)
        server.send(loss(index))
        let name = try #require(folder.recordings(in: "drives").first?.name)
        let isLost = waited {
            send(["/dev/a"])
            return folder.text("drives/" + name).contains("\"type\":\"error\"")
        }
        #expect(isLost)
        command.send(SIGTERM)
        #expect(command.end() == .exited(0), "\(folder.text("err"))")
        var reader = try RecordingReader(path: folder.file("drives/" + name))
        var events: [GeoEvent] = []
        while let event = try reader.next() { events.append(event.event) }
        return events
    }

    /// The loss of the fix of `/dev/b`.
    private static func loss(_ index: Int) -> RecordedEvent {
        RecordedEvent(
            timestamp: Drive.start + .seconds(index), relativeTime: Double(index),
            event: .error(.locationUnknown("no fix from /dev/b", device: "/dev/b")))
    }

    @Test(arguments: [([], ["/dev/a", "/dev/b"]), (["--device", "/dev/b"], ["/dev/b"])] as [([String], [String?])])
    func `record records all receivers of a gpsd, or one`(arguments: [String], devices: [String?]) async throws {
        let events = try await blocking { try Self.record(arguments) }
        #expect(Set(events.compactMap(\.location).map(\.extra.device)) == Set(devices))
        #expect(Set(events.compactMap(\.error).map(\.device)) == ["/dev/b"])
    }

    @Test(arguments: [([], ["/dev/a", "/dev/b"]), (["--device", "/dev/b"], ["/dev/b"])] as [([String], [String])])
    func `clients of gpsd know a replayed receiver by its own name, also before its first position`(
        arguments: [String], devices: [String]
    ) async throws {
        let folder = TemporaryDirectory()
        try Self.writeRecording(to: folder.file("drive.json"))
        try await blocking {
            let port = try freePort()
            let replay = try Program(
                [
                    "replay", folder.file("drive.json"), "--to", "gpsd://127.0.0.1:\(port)", "--as-fast-as-possible",
                ] + arguments, in: folder, errors: "err")
            defer { replay.kill() }
            #expect(waited { folder.text("err").contains("://127.0.0.1:\(port)") })
            // The replay starts when a client watches.
            let client = try GPSDAnswersTests.Client(port: port)
            _ = client.lines { $0.count == 1 }
            let listed = client.ask("?DEVICES;", answers: 1)
            #expect(try deviceNames(listed) == [devices[0]])
            client.send("?WATCH={\"enable\":true,\"json\":true};")
            let lines = client.lines { $0.count { $0.contains("\"mode\":3") } == 10 * devices.count }
            #expect(try deviceNames(lines) == Set(devices))
            #expect(replay.end() == .exited(0))
        }
    }

    @Test func `the first receiver of a file is known before the replay, that of a pipe is not`() throws {
        let folder = TemporaryDirectory()
        try Self.writeRecording(to: folder.file("named.json"))
        try Drive(4, rate: 1, tunnels: false).write(to: folder.file("drive.gpx"))
        #expect(ReplayOptions(path: folder.file("named.json")).firstDevice == "/dev/a")
        #expect(ReplayOptions(path: folder.file("drive.gpx")).firstDevice == "taffrail")
        #expect(ReplayOptions(path: folder.file("none.json")).firstDevice == nil)
        #expect(ReplayOptions(path: "-").firstDevice == nil)
        // Reading ahead would take from a pipe what is to be replayed.
        #expect(mkfifo(folder.file("pipe.json"), 0o600) == 0)
        #expect(ReplayOptions(path: folder.file("pipe.json")).firstDevice == nil)
    }

    @Test func `receivers that are not known yet are not listed, and are announced`() async throws {
        try await blocking {
            let server = try GPSDServer(host: "127.0.0.1", port: 0, device: nil)
            defer { server.close() }
            let client = try GPSDAnswersTests.Client(port: server.port)
            _ = client.lines { $0.count == 1 }
            let (devices, poll) = (client.ask("?DEVICES;", answers: 1), client.ask("?POLL;", answers: 1))
            #expect(try GPSDAnswersTests.object(devices[0])["devices"] as? [String] == [])
            #expect(try GPSDAnswersTests.object(poll[0])["active"] as? Int == 0)
            _ = client.ask("?WATCH={\"enable\":true,\"json\":true};", answers: 2)
            // An error of no receiver is of none.
            let error = RecordedEvent(
                timestamp: Drive.start, relativeTime: 0, event: .error(.locationUnknown("waiting for gpsd")))
            server.send(error)
            server.send(GPSDAnswersTests.event(1, device: "/dev/a"))
            server.send(GPSDAnswersTests.event(2))
            server.send(error)
            let lines = client.lines { $0.count == 8 }
            let names = try lines.map { try deviceNames([$0]).sorted().joined(separator: " ") }
            #expect(names == ["/dev/a", "/dev/a", "/dev/a", "taffrail", "taffrail", "taffrail", "/dev/a", "taffrail"])
            let kinds = try lines.map { try GPSDAnswersTests.object($0)["class"] as? String }
            #expect(kinds == ["DEVICE", "TPV", "SKY", "DEVICE", "TPV", "SKY", "TPV", "TPV"])
            #expect(lines.suffix(2).allSatisfy { $0.contains("\"mode\":1") })
        }
    }

    @Test func `clients of gpsd are notified of a lost fix for its receiver`() async throws {
        try await blocking {
            let server = try GPSDServer(host: "127.0.0.1", port: 0, device: "/dev/a")
            defer { server.close() }
            let client = try GPSDAnswersTests.Client(port: server.port)
            _ = client.lines { $0.count == 1 }
            _ = client.ask("?WATCH={\"enable\":true,\"json\":true};", answers: 2)
            server.send(GPSDAnswersTests.event(0, device: "/dev/a"))
            server.send(GPSDAnswersTests.event(1, device: "/dev/b"))
            server.send(Self.loss(2))
            server.send(GPSDAnswersTests.event(3, device: "/dev/a"))
            var untimed = Self.loss(4)
            if case .error(var error) = untimed.event {
                error.hasNoTime = true
                untimed.event = .error(error)
            }
            server.send(untimed)
            let lines = client.lines { $0.count { $0.contains("\"mode\":1") } == 2 }
            let lost = lines.filter { $0.contains("\"mode\":1") }
            #expect(lost.allSatisfy { $0.contains("\"device\":\"/dev/b\"") }, "\(lines)")
            #expect(lost.map { $0.contains("\"time\":") } == [true, false])
        }
    }

    @Test func `a plot shows the first receiver of several, names the others, and shows the chosen one`() throws {
        let folder = TemporaryDirectory()
        try Self.writeRecording(to: folder.file("drive.json"))
        func plot(_ device: String?) throws -> String {
            let name = "plot\(device?.suffix(1) ?? "").svg"
            let arguments = ["track", "plot", folder.file("drive.json"), "-o", folder.file(name)]
            let result = try Program.run(arguments + (device.map { ["--device", $0] } ?? []))
            #expect(result.code == 0, "\(result.errors)")
            let warning = "the plot shows /dev/a; choose another receiver with --device: /dev/b"
            #expect(result.errors.contains(warning) == (device == nil), "\(result.errors)")
            return folder.text(name)
        }
        let (first, second) = (try plot("/dev/a"), try plot("/dev/b"))
        #expect(try plot(nil) == first && first != second)
    }
}
#endif
