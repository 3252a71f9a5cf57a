import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailText
@testable import TaffrailTracks
@testable import TaffrailTransport

/// The answers of Taffrail's gpsd server, compared with those of gpsd 3.22.
@Suite(.mayBlock) struct GPSDAnswersTests {
    /// A client that sends given bytes.
    final class Client {
        private let stream: ByteStream
        private let interrupt = Interrupt()
        private var text = ""

        init(port: Int) throws {
            stream = try ByteStream.open(
                .tcp(host: "127.0.0.1", port: port), timeout: .seconds(10), interrupt: interrupt)
        }

        func send(_ request: String) {
            var request = request
            _ = request.withUTF8 {
                stream.write(UnsafeRawBufferPointer($0), timeout: .seconds(10), interrupt: interrupt)
            }
        }

        /// Reads until the lines so far fulfil a condition; gives them and forgets them.
        func lines(seconds: Int64 = 60, until isEnough: ([String]) -> Bool) -> [String] {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
            defer { buffer.deallocate() }
            var lines: [String] { text.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init) }
            let deadline = SystemClock.monotonicNanoseconds() + seconds * 1_000_000_000
            while !(text.hasSuffix("\r\n") && isEnough(lines)), SystemClock.monotonicNanoseconds() < deadline {
                guard
                    case .bytes(let count) = stream.read(into: buffer, timeout: .seconds(1), interrupt: interrupt)
                else { continue }
                text += String(decoding: buffer[..<count], as: UTF8.self)
            }
            defer { text = "" }
            return lines
        }

        /// Reads `count` lines that begin and go on in a certain way, and returns the last.
        func lastLine(count: Int, of start: String, with part: String) -> String? {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
            defer { buffer.deallocate() }
            var splitter = LineSplitter(limit: 4_096)
            var seen = 0
            let deadline = SystemClock.monotonicNanoseconds() + 300_000_000_000
            while SystemClock.monotonicNanoseconds() < deadline {
                switch stream.read(into: buffer, timeout: .seconds(1), interrupt: interrupt) {
                case .bytes(let size):
                    for byte in buffer[..<size] {
                        guard let line = splitter.take(byte), line.starts(with: start.utf8) else { continue }
                        let text = String(decoding: line, as: UTF8.self)
                        guard text.contains(part) else { continue }
                        seen += 1
                        if seen == count { return text }
                    }
                case .timeout: continue
                default: return nil
                }
            }
            return nil
        }

        /// Sends a request, and returns its answers, without the reports that come in between.
        ///
        /// - Parameter count: How many answers gpsd gives. It treats the data of one read as one request, so the
        ///   following request, whose answer shows that there are no more, must wait for them.
        func ask(_ request: String, answers count: Int) -> [String] {
            func answers(_ lines: [String]) -> [String] {
                lines.filter { line in
                    line.first == "{" && !["TPV", "SKY"].contains { line.hasPrefix("{\"class\":\"\($0)\"") }
                }
            }
            // Some clients end nothing.
            send(request.hasSuffix("}") ? request : request + "\n")
            func isVersion(_ line: String) -> Bool { line.contains("\"VERSION\"") }
            let first = count > 0 ? answers(lines { answers($0).count >= count }) : []
            var rest: [String] = []
            for _ in 0..<10 where rest.last.map(isVersion) != true {
                send("?VERSION;\n")
                // Each has one answer, which must not be left for the next request. Only one that follows what has none
                // may be lost.
                rest += answers(lines(seconds: count > 0 ? 30 : 2) { answers($0).last.map(isVersion) == true })
            }
            // On a busy machine gpsd may answer several of these only after the last one was sent.
            return first + rest.filter { !isVersion($0) }
        }
    }

    static func event(_ index: Int, device: String? = nil) -> RecordedEvent {
        var location = Drive(1, rate: 1, tunnels: false).locations[0]
        location.timestamp = Drive.start + .seconds(index)
        location.extra.satellites = 5
        location.extra.hdop = 1
        location.extra.vdop = 1.5
        location.extra.pdop = 1.8
        location.extra.device = device
        return RecordedEvent(timestamp: location.timestamp, relativeTime: Double(index), event: .location(location))
    }

    static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }

    /// The requests of clients, and some that no client should send, each with the number of gpsd's answers. DEVICE
    /// represents the name of the device.
    static let requests = [
        ("?VERSION;", 1), ("?VERSION", 1), ("?DEVICES;", 1), ("?DEVICE;", 1), ("?POLL;", 1), ("?WATCH;", 2),
        ("?WATCH={\"enable\":true}", 2), ("?WATCH={\"enable\":true,\"json\":true}", 2),
        ("?WATCH={\"enable\":true,\"json\":true};", 2), ("?WATCH={};", 3), ("?WATCH={\"enable\":false};", 2),
        ("?WATCH={\"json\":true};", 2), ("?WATCH={\"enable\":true,\"raw\":1};", 2),
        ("?WATCH={\"enable\":true,\"raw\":true};", 2),
        ("?WATCH={\"enable\":true,\"scaled\":true,\"timing\":true};", 2),
        ("?WATCH={\"enable\":true,\"split24\":true};", 2), ("?WATCH={\"enable\":1};", 2),
        ("?WATCH={\"enable\":true,\"json\":true,\"device\":\"/dev/nothing\"};", 1),
        ("?WATCH={\"enable\":true,\"device\":\"DEVICE\"};", 2), ("?WATCH={\"enable\":true,\"cycle\":1};", 2),
        ("?WATCH={\"enable\":true};?POLL;", 3), ("?DEVICE={\"path\":\"DEVICE\"};", 1),
        ("?DEVICE={\"path\":\"/dev/nothing\"};", 1), ("?DEVICE={\"cycle\":0.5};", 1), ("?FOO;", 1), ("?poll;", 1),
        ("hello", 0), ("?DEVICES", 1), ("?POLL", 1),
    ]

    /// A gpsd at a line, with a round of NMEA each tenth of a second. gpsd reports a speed for lines only.
    static func withDaemon<R>(_ body: (Int, String) throws -> R) throws -> R? {
        let folder = TemporaryDirectory()
        let device = folder.file("gps")
        let feed = try NMEATerminalLine(link: device)
        defer { feed.close() }
        let port = try freePort()
        let daemon = try Program(["-N", "-n", "-S", "\(port)", device], of: "gpsd", in: folder, errors: "gpsd")
        defer { daemon.kill() }
        guard waited(until: { feed.listeners == 1 }) else { return nil }
        let isOver = Interrupt()
        let isGone = Interrupt()
        guard
            DedicatedThread.start({
                let writer = NMEAWriter()
                var index = 0
                while isOver.wait(timeout: .milliseconds(100)) == .timeout {
                    var bytes: [UInt8] = []
                    if let location = event(index).event.location { writer.append(location, to: &bytes) }
                    try? feed.send(bytes)
                    index += 1
                }
                isGone.trigger()
            })
        else { return nil }
        defer {
            isOver.trigger()
            _ = isGone.wait(timeout: nil)
        }
        guard waited(until: { (try? Client(port: port)) != nil }) else { return nil }
        return try body(port, device)
    }

    /// The differences between two daemons: the time, their identity, and the speed of the line.
    private static let variable = ["time", "activated", "rev", "driver", "bps"]

    /// An answer, with the values taken out that differ between two daemons; their names stay.
    static func comparable(_ lines: [String], device: String) throws -> [String] {
        try lines.map { line in
            func shape(_ value: Any, _ key: String) -> String {
                switch value {
                case let list as [Any]: return "[" + list.map { shape($0, key) }.joined(separator: ",") + "]"
                case let object as [String: Any]:
                    return "{" + object.map { "\($0.key)=\(shape($0.value, $0.key))" }.sorted().joined(separator: " ")
                        + "}"
                default: return variable.contains(key) ? "…" : value as? String == device ? "DEVICE" : "\(value)"
                }
            }
            var object = try Self.object(line)
            if object["class"] as? String == "POLL" {
                // Its reports depend on gpsd's input and computations: other tests compare them.
                for key in ["tpv", "gst", "sky"] {
                    object[key] = (object[key] as? [[String: Any]])?.map {
                        "\($0["class"] ?? "") \($0["device"] ?? "")"
                    }
                    .joined(separator: ",").replacing(device, with: "DEVICE")
                }
            }
            return shape(object, "")
        }
    }

    /// The answers of a daemon to all requests, each from a separate client.
    private static func answers(port: Int, device: String) throws -> [[String]] {
        try requests.map { request, count in
            let client = try Client(port: port)
            _ = client.lines { $0.count == 1 }
            return try comparable(
                client.ask(request.replacing("DEVICE\"", with: device + "\""), answers: count), device: device)
        }
    }

    @Test(.enabled(if: Program.path("gpsd") != nil, "gpsd is not installed"))
    func `requests are answered as gpsd answers them`() async throws {
        try await blocking {
            let theirs = try Self.withDaemon { port, device in
                let client = try Client(port: port)
                _ = client.lines { $0.count == 1 }
                _ = client.ask("?WATCH={\"enable\":true};", answers: 2)
                try #require(
                    waited { client.ask("?POLL;", answers: 1).last?.contains("\"mode\":3") == true })
                return try Self.answers(port: port, device: device)
            }
            let server = try GPSDServer(host: "127.0.0.1", port: 0, device: "/dev/ours")
            defer { server.close() }
            server.send(Self.event(0, device: "/dev/ours"))
            let ours = try Self.answers(port: server.port, device: "/dev/ours")
            let wanted = try #require(theirs)
            for (index, request) in Self.requests.enumerated() {
                #expect(
                    wanted[index].count == request.1 && ours[index] == wanted[index], "\(request.0): \(wanted[index])")
            }
        }
    }

    @Test func `a watch that nothing ends, in one piece or in several, is obeyed`() async throws {
        try await blocking {
            let server = try GPSDServer(host: "127.0.0.1", port: 0)
            defer { server.close() }
            // The requests of gps3.
            let client = try Client(port: server.port)
            client.send("?WATCH={\"enable\":true,\"json\":true}")
            let answer = client.lines { $0.count == 3 }
            #expect(answer[1].contains("DEVICES") && answer[2].contains("\"enable\":true,\"json\":true"))
            server.send(Self.event(0))
            // It reads only the first line of the data that has arrived.
            let reports = client.lines { $0.count == 2 }
            #expect(reports[0].contains("\"class\":\"TPV\"") && reports[1].contains("\"class\":\"SKY\""))
            let slow = try Client(port: server.port)
            slow.send("?WATCH={\"enable\":true,")
            slow.send("\"json\":true}")
            #expect(slow.lines { $0.count == 3 }.last?.contains("\"json\":true") == true)
        }
    }

    @Test func `a watch without json is sent nothing, and may poll`() async throws {
        try await blocking {
            let server = try GPSDServer(host: "127.0.0.1", port: 0)
            defer { server.close() }
            // The requests of gpsd-py3, which expects the answer in the next line.
            let client = try Client(port: server.port)
            _ = client.lines { $0.count == 1 }
            client.send("?WATCH={\"enable\":true}\n")
            #expect(client.lines { $0.count == 2 }[1].contains("\"enable\":true,\"json\":false"))
            server.send(Self.event(0))
            client.send("?POLL;\n")
            let poll = try Self.object(client.lines { $0.count == 1 }[0])
            #expect(poll["class"] as? String == "POLL" && poll["active"] as? Int == 1)
            let tpv = try #require((poll["tpv"] as? [[String: Any]])?.first)
            #expect(tpv["mode"] as? Int == 3 && tpv["lat"] as? Double == -55.5)
            let sky = try #require((poll["sky"] as? [[String: Any]])?.first)
            #expect((sky["satellites"] as? [[String: Any]])?.count { $0["used"] as? Bool == true } == 5)
        }
    }

    @Test func `several receivers are several devices with their own names, which can be watched alone`() async throws {
        try await blocking {
            let server = try GPSDServer(host: "127.0.0.1", port: 0, device: "/dev/a")
            defer { server.close() }
            let (all, one) = (try Client(port: server.port), try Client(port: server.port))
            for client in [all, one] { _ = client.lines { $0.count == 1 } }
            let answer = all.ask("?WATCH={\"enable\":true,\"json\":true};", answers: 2)
            #expect(try deviceNames(answer) == ["/dev/a"])
            server.send(Self.event(0, device: "/dev/a"))
            server.send(Self.event(1, device: "/dev/b"))
            let seen = all.lines { $0.count == 5 }
            #expect(seen.map { $0.contains("\"device\":\"/dev/a\"") } == [true, true, false, false, false])
            #expect(seen[2].hasPrefix("{\"class\":\"DEVICE\",\"path\":\"/dev/b\""))
            #expect(one.ask("?WATCH={\"enable\":true,\"json\":true,\"device\":\"/dev/b\"};", answers: 2).count == 2)
            server.send(Self.event(2, device: "/dev/a"))
            server.send(Self.event(3, device: "/dev/b"))
            #expect(one.lines { $0.count == 2 }.allSatisfy { $0.contains("\"device\":\"/dev/b\"") })
            for request in ["?DEVICES;", "?POLL;", "?DEVICE={\"path\":\"/dev/a\"};"] {
                let answer = all.ask(request, answers: 1)
                #expect(
                    try deviceNames(answer) == (request.contains("path") ? ["/dev/a"] : ["/dev/a", "/dev/b"]),
                    "\(answer)")
            }
        }
    }

    /// The Python of `.ci/gpsd-clients` or, without it, the system's.
    private static let interpreter: String = {
        let own = Repository.root.appending(path: ".build-gpsd-clients/bin/python3").path
        return FileManager.default.isExecutableFile(atPath: own) ? own : "python3"
    }()

    /// The output of a Python client for a server that has a position.
    private static func python(_ program: String) async throws -> (CInt, String, String) {
        try await blocking {
            let server = try GPSDServer(host: "127.0.0.1", port: 0)
            defer { server.close() }
            let folder = TemporaryDirectory()
            server.send(event(0))
            let client = try Program(
                [interpreter, "-c", program, "\(server.port)"], of: "/usr/bin/env", in: folder, output: "out",
                errors: "err")
            var index = 1
            while client.isRunning, index < 2_400 {
                server.send(event(index))
                index += 1
                poll(nil, 0, 50)
            }
            client.kill()
            return (client.end().code, folder.text("out"), folder.text("err"))
        }
    }

    /// Whether gpsprof is installed, and finds its module.
    private static let canProfile: Bool = {
        guard Program.path("gpsprof") != nil else { return false }
        return (try? Program.run(["-h"], of: "gpsprof").code) == 0
    }()

    private static func hasModule(_ name: String) -> Bool {
        (try? Program.run([interpreter, "-c", "import \(name)"], of: "/usr/bin/env").code) == 0
    }

    @Test(.enabled(if: hasModule("gps3"), "run .ci/gpsd-clients .build-gpsd-clients, which needs PyPI"))
    func `gps3 sees positions`() async throws {
        let (code, output, errors) = try await Self.python(
            """
            import sys
            from gps3 import gps3
            socket, stream = gps3.GPSDSocket(), gps3.DataStream()
            socket.connect("127.0.0.1", int(sys.argv[1]))
            socket.watch()
            for data in socket:
                if not data: continue
                stream.unpack(data)
                if stream.TPV["lat"] != "n/a": break
            print(stream.TPV["lat"], stream.TPV["mode"])
            """)
        #expect(code == 0 && output == "-55.5 3\n", "\(output)\(errors)")
    }

    @Test(.enabled(if: hasModule("gpsd"), "run .ci/gpsd-clients .build-gpsd-clients, which needs PyPI"))
    func `gpsd-py3 sees a position, its satellites and the device`() async throws {
        let (code, output, errors) = try await Self.python(
            """
            import sys, gpsd
            gpsd.connect("127.0.0.1", int(sys.argv[1]))
            now = gpsd.get_current()
            print(now.position()[0], now.mode, now.sats, now.sats_valid, gpsd.device()["path"], gpsd.device()["speed"])
            """)
        #expect(code == 0 && output == "-55.5 3 5 5 taffrail 9600\n", "\(output)\(errors)")
    }

    @Test(
        .enabled(
            if: canProfile,
            "gpsprof is not installed, or cannot find its module gps"))
    func `gpsprof plots a replay`() async throws {
        let (code, output, errors) = try await blocking {
            let server = try GPSDServer(host: "127.0.0.1", port: 0)
            defer { server.close() }
            let folder = TemporaryDirectory()
            let profiler = try Program(
                ["-f", "space", "-n", "5", "127.0.0.1:\(server.port)"], of: "gpsprof", in: folder, output: "out",
                errors: "err")
            var index = 0
            while profiler.isRunning, index < 2_400 {
                server.send(Self.event(index))
                index += 1
                poll(nil, 0, 50)
            }
            profiler.kill()
            return (profiler.end().code, folder.text("out"), folder.text("err"))
        }
        #expect(code == 0 && output.contains("cycle 1s"), "\(output.prefix(400))\(errors)")
    }

    /// What a client receives of each position, and the last one's time in it.
    @Test(arguments: [
        ("gpsd", 20_000, "{\"class\":\"TPV\"", "\"lat\":", "2026-01-05T15:03:19.900Z"),
        ("nmea-tcp", 20_000, "$GPRMC,", ",A,", "$GPRMC,150319.9"),
    ])
    func `a client that never reads delays neither the others nor the end`(
        scheme: String, count: Int, start: String, part: String, last: String
    ) async throws {
        let folder = TemporaryDirectory()
        try Drive(count, rate: 10, tunnels: false).write(to: folder.file("drive.json"))
        try await blocking {
            let port = try freePort()
            let replay = try Program(
                [
                    "replay", folder.file("drive.json"), "--to", "\(scheme)://127.0.0.1:\(port)",
                    "--as-fast-as-possible", "--wait", "2",
                ], in: folder, errors: "err")
            #expect(waited { folder.text("err").contains("://127.0.0.1:\(port)") })
            let (deaf, other) = (try Client(port: port), try Client(port: port))
            if scheme == "gpsd" {
                for client in [deaf, other] { client.send("?WATCH={\"enable\":true,\"json\":true};") }
            }
            #expect(other.lastLine(count: count, of: start, with: part)?.contains(last) == true)
            #expect(replay.end() == .exited(0))
            withExtendedLifetime(deaf) {}
        }
    }
}
