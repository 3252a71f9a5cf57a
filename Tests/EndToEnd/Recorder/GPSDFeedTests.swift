#if Command
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailText
@testable import TaffrailTransport

/// Real receivers' logs through a real gpsd into `taffrail record`, compared with the output of gpspipe at the same
/// time.
@Suite(
    .mayBlock, .serialized, .enabled(if: TestData.isThere, "\(TestData.reason)"),
    .enabled(if: Program.areThere("gpsd", "gpspipe", "gpsfake"), "gpsd is not installed (gpsd, gpsd-clients)"))
struct GPSDFeedTests {
    /// How gpsd gets a receiver's bytes.
    enum Feed: String, CaseIterable { case gpsfake, tcp, udp, pty }

    /// All logs in all ways take long.
    static let all: [(Feed, String)] = {
        let logs = ["haicom-305N", "ericsson-gru04-02-70sec", "bt451"]
        let feeds = Feed.allCases.flatMap { feed in logs.map { (feed, $0) } }
        return feeds + [(.gpsfake, "bu303-moving")]
    }()
    static let some: [(Feed, String)] = [
        (.tcp, "haicom-305N"), (.tcp, "bt451"), (.udp, "ericsson-gru04-02-70sec"), (.pty, "bt451"),
        (.gpsfake, "bu303-moving"),
    ]

    @Test(arguments: ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? some : all)
    func `the recording equals the output of gpspipe, fix by fix`(feed: Feed, name: String) async throws {
        let lastTime = try feed == .gpsfake ? GPSD.lastTime(of: name) : GPSD.lastTime
        for round in 1...3 {
            let (piped, fixes) = try await Self.play(feed, name, until: lastTime)
            // On a busy machine it happens that gpsd reads nothing of gpsfake's log.
            if feed == .gpsfake && piped.moments.isEmpty && round < 3 { continue }
            // One of the two may have connected to gpsfake slightly later.
            let ours = try #require(fixes.first { $0.extra.hasNoTime != true }).timestamp
            let start = try piped.moments.contains(ours) ? ours : #require(piped.moments.first)
            let end = try #require(piped.moments.first { RFC3339.string($0).hasSuffix("T\(lastTime)Z") })
            #expect(piped.moments(from: start, upTo: end).count >= 6)
            let differences = piped.differences(to: fixes, from: start, upTo: end)
            if !differences.isEmpty && piped.areOnlyLate(fixes) && round < 3 { continue }
            #expect(differences.isEmpty, "\(differences.prefix(5)) and \(max(0, differences.count - 5)) more")
            return
        }
    }

    /// Plays a log to gpsd until gpspipe and `taffrail record` have its fix of a time of day.
    private static func play(
        _ feed: Feed, _ name: String, until lastTime: String
    ) async throws -> (piped: PipedFixes, fixes: [Location]) {
        let folder = TemporaryDirectory()
        let port = try freePort()
        let receiver = try await GPSD(feed, name, port: port, in: folder)
        #expect(await eventually { isListening(port) })
        let pipe = try Program(["-w", "127.0.0.1:\(port)"], of: "gpspipe", in: folder, output: "pipe")
        #expect(await eventually { folder.text("pipe").contains("\"WATCH\"") })
        let recorder = try Program(
            ["record", "--from", "gpsd://127.0.0.1:\(port)", "--directory", folder.file("drives")], in: folder)
        // gpsfake begins with its first client; the others wait for both.
        #expect(await eventually { clients(of: port) >= 2 }, "\(folder.text("errors"))")
        try await receiver.play()
        let recorded = { folder.recordings("drives").map { folder.text("drives/\($0)") }.joined() }
        let isPiped = { folder.text("pipe").contains("T\(lastTime)Z\"") }
        let hasPlayed = await eventually { isPiped() || !receiver.isPlaying }
        // On a busy machine it also happens that gpsfake runs on and its gpsd reads nothing.
        let isIdle = feed == .gpsfake && PipedFixes(folder.text("pipe")).moments.isEmpty
        #expect(hasPlayed || isIdle)
        if isPiped() { #expect(await eventually { recorded().contains("T\(lastTime)Z\"") }) }
        pipe.kill()
        recorder.send(SIGTERM)
        _ = await recorder.wait()
        receiver.stop()
        return (PipedFixes(folder.text("pipe")), try folder.events("drives").compactMap(\.location))
    }

    @Test func `a receiver that has no fix is an error and no point`() async throws {
        for round in 1... {
            let folder = TemporaryDirectory()
            let port = try freePort()
            let receiver = try await GPSD(.gpsfake, "bu303-nofix", port: port, in: folder)
            #expect(await eventually { Self.isListening(port) })
            let recorder = try Program(
                ["record", "--from", "gpsd://127.0.0.1:\(port)", "--directory", folder.file("drives")], in: folder)
            let isRecorded = await eventually { folder.count("drives") > 0 || !receiver.isPlaying }
            recorder.send(SIGTERM)
            let code = await recorder.wait()
            receiver.stop()
            // On a busy machine it happens that gpsfake ends before gpsd has read anything of its log.
            if folder.count("drives") == 0 && round < 3 { continue }
            #expect(isRecorded && code == 69)
            let events = try folder.events("drives")
            #expect(events.compactMap(\.location).isEmpty)
            let first = try #require(events.first?.error)
            #expect(first.domain == "kCLErrorDomain" && first.code == 0 && first.description.hasPrefix("no fix from "))
            return
        }
    }

    /// Whether a program listens on a port, without connecting: gpsfake would count a connection as its client.
    static func isListening(_ port: Int) -> Bool {
        let address = address(port)
        return sockets.contains { $0[1].hasSuffix(address) && $0[3] == "0A" }
    }

    /// How many connections a port has.
    static func clients(of port: Int) -> Int {
        let address = address(port)
        return sockets.count { $0[1].hasSuffix(address) && $0[3] == "01" }
    }

    private static func address(_ port: Int) -> String {
        let hexadecimal = String(port, radix: 16, uppercase: true)
        return ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
    }

    /// The kernel's table: local address, remote address and state are the second to the fourth field. It is read to its
    /// end, which Foundation does not do with a file whose length is not known.
    private static var sockets: [[Substring]] {
        var table: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        let file = open("/proc/net/tcp", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        while true {
            let count = read(file, &part, part.count)
            guard count > 0 else { break }
            table += part[..<count]
        }
        return String(decoding: table, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
            .filter { $0.count > 3 }
    }
}

/// A gpsd with one receiver.
private final class GPSD {
    /// A time of day later than all in the logs.
    static let lastTime = "23:59:57.000"

    /// The time of day of the last report that gpsfake makes gpsd give.
    static func lastTime(of name: String) throws -> String {
        let text = String(decoding: try TestData.bytes("nmea/\(name).log.chk"), as: UTF8.self)
        let last = text.split(separator: "\n").last { $0.contains("\"TPV\"") && $0.contains("\"time\":") }
        let time = last?.split(separator: "\"time\":\"").last?.prefix { $0 != "Z" }
        return try String(#require(time?.split(separator: "T").last))
    }

    private let feed: GPSDFeedTests.Feed
    private let name: String
    private let command: Program
    private var server: StreamServer?
    private var terminal: Terminal?
    private var descriptor: Int32 = -1
    private var datagramPort = 0

    init(_ feed: GPSDFeedTests.Feed, _ name: String, port: Int, in folder: TemporaryDirectory) async throws {
        self.feed = feed
        self.name = name
        var device = ""
        switch feed {
        case .gpsfake:
            command = try Program(
                [
                    "-1", "-c", name.hasPrefix("bu303") ? "0.1" : "0.02", "-P", "\(port)",
                    TestData.path("nmea/\(name).log"),
                ], of: "gpsfake", in: folder)
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
        // -b: it does not probe, and so does not wait for answers.
        command = try Program(
            ["-N", "-n", "-b", "-S", "\(port)", device], of: "gpsd", in: folder)
        if let server { #expect(await eventually { server.clientCount == 1 }) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether more may come; gpsfake ends when its log does.
    var isPlaying: Bool { feed != .gpsfake || command.isRunning }

    /// Sends the log, a sentence every few milliseconds, followed by some seconds before midnight: every client has the
    /// last but one when gpsd has the last.
    func play() async throws {
        guard feed != .gpsfake else { return }
        var sentences = try TestData.sentences(name)
        let days = ["haicom-305N": "080407", "bt451": "091209", "ericsson-gru04-02-70sec": "120226"]
        for second in 56...59 {
            for body in [
                "GPRMC,2359\(second).000,A,2712.6404,S,15303.1201,E,0.10,96.86,\(days[name] ?? "010126"),,,A",
                "GPGGA,2359\(second).000,2712.6404,S,15303.1201,E,1,05,1.5,10.0,M,26.0,M,,",
            ] { sentences.append(Array(Receiver.checked(body).utf8)) }
        }
        for sentence in sentences {
            switch feed {
            case .tcp: server?.send(sentence)
            case .udp: send(sentence)
            default: await terminal?.send(sentence)
            }
            // The pace of a line at 460,800 baud. It is part of the input: gpsd ends an epoch by the silence after it,
            // and a datagram or sentence that finds no space is lost, as on a real line.
            try await Task.sleep(for: .milliseconds(2))
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
        command.kill()
        server?.close(timeout: .zero)
    }
}
#endif
