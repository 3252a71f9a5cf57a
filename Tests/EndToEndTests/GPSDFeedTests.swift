#if Command
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import Testing

/// Real receivers' logs through a real gpsd into `taffrail record`, against what gpspipe saw at the same time.
@Suite(
    .serialized, .enabled(if: Receivers.areThere, "no receiver logs beside the package: ../shared/testdata"),
    .enabled(if: GPSD.isThere, "gpsd is not installed (gpsd, gpsd-clients)"))
struct GPSDFeedTests {
    /// How gpsd gets a receiver's bytes.
    enum Feed: String, CaseIterable { case gpsfake, tcp, udp, pty }

    @Test(
        arguments: zip(
            [Feed.tcp, .udp, .pty, .gpsfake, .gpsfake],
            ["haicom-305N", "ericsson-gru04-02-70sec", "bt451", "haicom-305N", "bu303-moving"]))
    func `what is recorded equals what gpspipe sees, fix by fix`(feed: Feed, name: String) throws {
        let folder = try Folder()
        let port = try freePort()
        let receiver = try GPSD(feed, name, port: port, in: folder)
        #expect(eventually { Self.isListening(port) })
        let pipe = try Command(
            ["-w", "127.0.0.1:\(port)"], of: GPSD.pipe, in: folder, output: "pipe")
        #expect(eventually { folder.text("pipe").contains("\"WATCH\"") })
        let recorder = try Command(
            ["record", "--from", "gpsd://127.0.0.1:\(port)", "--directory", folder.file("drives")], in: folder)
        try receiver.play()
        // All has come when neither has had anything new for more than a second.
        var seen = (0, 0)
        var still = 0
        #expect(
            eventually(seconds: 60) {
                let file = folder.recordings("drives").first.map { folder.file("drives/\($0)") } ?? ""
                let size = (try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date)
                let now = (folder.text("pipe").utf8.count, size.map { Int($0.timeIntervalSince1970 * 1e3) } ?? 0)
                still = now == seen && now.1 > 0 ? still + 1 : 0
                seen = now
                poll(nil, 0, 50)
                return still >= 24
            })
        pipe.send(SIGKILL)
        pipe.wait()
        recorder.send(SIGTERM)
        #expect(recorder.wait() == 0)
        receiver.stop()
        try compare(try folder.events("drives").compactMap(\.location), Self.fixes(folder.text("pipe")))
    }

    /// Whether somebody listens at a port, found out without a connection, which gpsfake would take for its client.
    static func isListening(_ port: Int) -> Bool {
        let hexadecimal = String(port, radix: 16, uppercase: true)
        let address = ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
        let table = FileManager.default.contents(atPath: "/proc/net/tcp") ?? Data()
        return String(decoding: table, as: UTF8.self).split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[1].hasSuffix(address) && fields[3] == "0A"
        }
    }

    /// The last report of each moment that gpspipe has written.
    static func fixes(_ text: String) -> [Timestamp: Location] {
        var parser = GPSDParser()
        var fixes: [Timestamp: Location] = [:]
        parser.read(text.utf8) { report in
            guard case .position(let position) = report, let time = position.time, let location = position.location
            else { return }
            fixes[time] = location
        }
        return fixes
    }

    private func compare(_ recorded: [Location], _ piped: [Timestamp: Location]) throws {
        var ours: [Timestamp: Location] = [:]
        for location in recorded where location.extra.hasNoTime != true { ours[location.timestamp] = location }
        // gpsfake starts with its first client, so that one of the two may have come a moment later.
        let start = try #require(max(ours.keys.min(), piped.keys.min()))
        let theirs = piped.filter { $0.key >= start }
        #expect(Set(ours.keys.filter { $0 >= start }) == Set(theirs.keys))
        #expect(theirs.count >= 6)
        for (time, their) in theirs {
            guard let our = ours[time] else { continue }
            #expect(abs(our.coordinate.latitude - their.coordinate.latitude) <= 1e-7)
            #expect(abs(our.coordinate.longitude - their.coordinate.longitude) <= 1e-7)
            for (one, other, tolerance) in [
                (our.altitude, their.altitude, 0.01), (our.ellipsoidalAltitude, their.ellipsoidalAltitude, 0.01),
                (our.speed, their.speed, 0.001), (our.course, their.course, 0.001),
                (our.horizontalAccuracy, their.horizontalAccuracy, 0.01),
                (our.verticalAccuracy, their.verticalAccuracy, 0.01),
            ] {
                // A report that came before may have said more than the last one.
                guard let other else { continue }
                #expect(one.map { abs($0 - other) <= tolerance } == true, "\(RFC3339.string(time))")
            }
        }
    }

    private func max(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
        guard let one, let other else { return nil }
        return Swift.max(one, other)
    }
}

/// Logs of real receivers that stay outside the project.
enum Receivers {
    static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/testdata/nmea").path
    static let areThere = FileManager.default.fileExists(atPath: folder)

    /// The sentences of an NMEA log, one each.
    static func sentences(_ name: String) throws -> [[UInt8]] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name).log"))).split(separator: 10)
            .filter { $0.first == UInt8(ascii: "$") }.map { $0 + [10] }
    }
}

/// A gpsd with one receiver.
private final class GPSD {
    static let daemon = "/usr/sbin/gpsd"
    static let pipe = "/usr/bin/gpspipe"
    static let fake = "/usr/bin/gpsfake"
    static let isThere = [daemon, pipe, fake].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    private let feed: GPSDFeedTests.Feed
    private let name: String
    private let command: Command
    private var server: StreamServer?
    private var terminal: Terminal?
    private var descriptor: Int32 = -1
    private var datagramPort = 0

    init(_ feed: GPSDFeedTests.Feed, _ name: String, port: Int, in folder: Folder) throws {
        self.feed = feed
        self.name = name
        var device = ""
        switch feed {
        case .gpsfake:
            command = try Command(
                [
                    "-1", "-c", name.hasPrefix("bu303") ? "0.1" : "0.02", "-P", "\(port)",
                    "\(Receivers.folder)/\(name).log",
                ], of: Self.fake, in: folder)
            return
        case .tcp:
            let server = try StreamServer(host: "127.0.0.1", port: 0)
            self.server = server
            device = "tcp://127.0.0.1:\(server.port)"
        case .udp:
            datagramPort = try freePort()
            descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            device = "udp://127.0.0.1:\(datagramPort)"
        case .pty:
            let terminal = try Terminal()
            terminal.makeRaw()
            self.terminal = terminal
            device = terminal.path
        }
        // -b: it shall not probe, and so not wait for answers.
        command = try Command(
            ["-N", "-n", "-b", "-S", "\(port)", device], of: Self.daemon, in: folder)
        if let server { #expect(eventually { server.clientCount == 1 }) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends the log, a sentence every few milliseconds.
    func play() throws {
        guard feed != .gpsfake else { return }
        for sentence in try Receivers.sentences(name).prefix(400) {
            switch feed {
            case .tcp: server?.send(sentence)
            case .udp: send(sentence)
            default:
                _ = terminal.map { Glibc.write($0.descriptor, sentence, sentence.count) }
                _ = terminal?.read()
            }
            poll(nil, 0, 3)
        }
    }

    private func send(_ sentence: [UInt8]) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(datagramPort).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, sentence, sentence.count, 0, $0, size)
            }
        }
    }

    func stop() {
        command.stop()
        server?.close(nanoseconds: 0)
    }
}

/// A port that nobody listens at now.
private func freePort() throws -> Int {
    let server = try StreamServer(host: "127.0.0.1", port: 0)
    defer { server.close(nanoseconds: 0) }
    return server.port
}
#endif
