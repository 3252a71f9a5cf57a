#if HTTP && Server && Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailGeo
@testable import TaffrailText
@testable import TaffrailTransport

/// A program with a log file, a recorder and a pinger, and `taffrail serve`: both are killed, and the pings are those that the
/// reference, in another language, computes of the fixes in the log.
@Suite(.heavy, .serialized, .enabled(if: PingReceiver.isPossible, "python3 is not installed"))
struct PingerKillTests {
    /// In each the program is killed, and in two of three its receiver: 50 kills of both in the long form.
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 6 : 75

    private static func configuration(_ folder: TemporaryDirectory, source port: Int, endpoint: String) throws {
        try folder.write(
            """
            plugins:
              nmea: { source: "tcp://127.0.0.1:\(port)", silence: 1h }
              file: { path: "\(folder.file("logs/app.log"))", format: json, rotate: { size: 1GiB } }
              geo-recorder: { directory: "\(folder.file("drives"))" }
              pinger:
                endpoint: \(endpoint)
                device_id: boat
                night: { time_zone: Europe/Berlin }
                home: { latitude: \(DayOfLegs.home.latitude), longitude: \(DayOfLegs.home.longitude) }
                drain: 0
                longest_retry: 1s
                timeout: 1m
                spool: { directory: "\(folder.file("spool"))" }
            """, to: "taffrail.yaml")
    }

    private static func lineCount(_ folder: TemporaryDirectory) -> Int {
        folder.lineCount("logs/app.log")
    }

    @Test func `through kills of both ends taffrail serve has the pings of the reference, none lost or doubled`()
        async throws
    {
        try #require(TimeZoneRules("Europe/Berlin") != nil, "tzdata is not installed")
        let folder = TemporaryDirectory()
        let runs = Locked(0)
        let server = try StreamServer(
            host: "127.0.0.1", port: 0,
            handlers: .init(joined: { _ in
                runs.withLock { $0 += 1 }
                return []
            }))
        let receiver = ServedReceiver(in: folder)
        try await receiver.start()
        try Self.configuration(folder, source: server.port, endpoint: "http://127.0.0.1:\(receiver.port)/ping")
        // From the day before the clocks change on.
        var fixes = (0..<max(1, Self.rounds / 6)).flatMap { day in
            let start = Timestamp(nanoseconds: 1_774_724_400_000_000_000) + .days(day)
            return DayOfLegs.fixes(from: start, noise: 4, seed: UInt64(day))
        }[...]
        let share = fixes.count / Self.rounds
        func send(_ count: Int) {
            var bytes: [UInt8] = []
            for fix in fixes.prefix(count) { NMEAWriter().append(fix, to: &bytes) }
            fixes = fixes.dropFirst(count)
            server.send(bytes)
        }
        func run() throws -> Program { try Program(["run", "--config", folder.file("taffrail.yaml")], in: folder) }
        var generator = SeededGenerator(seed: 22)
        var kills = 0
        for round in 0..<Self.rounds {
            if round % 3 == 1 { receiver.kill() }
            let program = try run()
            let end = fixes.count - share
            #expect(await eventually { runs.withLock { $0 } > round }, "\(folder.text("errors"))")
            let before = Self.lineCount(folder)
            let wanted = before + Int.random(in: 1...share / 2, using: &generator)
            while fixes.count > max(0, end) { send(20) }
            #expect(await eventually { Self.lineCount(folder) >= wanted }, "\(folder.text("errors"))")
            if round % 3 == 2 { receiver.kill() }
            program.send(SIGKILL)
            #expect(await program.wait() == 128 + SIGKILL)
            guard round % 3 != 0 else { continue }
            kills += 1
            try await receiver.start()
        }
        #expect(kills == Self.rounds * 2 / 3)
        let recovery = try await Program.run(
            ["recover", folder.file("logs"), "--config", folder.file("taffrail.yaml")], in: folder)
        #expect(recovery.code == 0 && !recovery.errors.contains("not drained"), "\(recovery.output) \(recovery.errors)")
        // The next run sends what is left.
        let last = try run()
        // Before that it does not take signals, and there may be nothing left to send.
        #expect(await eventually { runs.withLock { $0 } > Self.rounds }, "\(folder.text("errors"))")
        var isSent = false
        for _ in 0..<Self.rounds where !isSent {
            isSent = await eventually { (try? SpoolInspection(folder.file("spool")).summary().records) == 0 }
        }
        #expect(isSent, "\(folder.text("errors"))")
        last.send(SIGTERM)
        let code = await last.wait()
        #expect(code == 0, "\(folder.text("errors"))")
        #expect(await receiver.stop() == 0)

        let logged = LoggedFixes.all(in: folder)
        #expect(logged.count > Self.rounds * 20)
        let expected = try PingReference(PingSettings(), zone: "Europe/Berlin", home: DayOfLegs.home).pings(logged)
        #expect(expected.count > 20)
        // What was under way when the receiver was killed may be in its log twice, the same and one after the other.
        let received = receiver.records.compactMap { ReceivedPing($0) }
        var pings: [ReceivedPing] = []
        for ping in received where ping != pings.last { pings.append(ping) }
        #expect(pings.map(\.line) == expected)
        #expect(received.count - pings.count <= kills)
        #expect(Set(received.map(\.mode)).count > 1)
        #if Store
        // The store has each once.
        let list = try await Program.run(
            ["history", "list", "--store", receiver.store, "--all", "--limit", "1000000", "--format", "csv"], in: folder
        )
        let points = list.output.split(whereSeparator: \.isNewline).count - 1
        #expect(list.code == 0 && points == expected.count, "\(list.errors)")
        #endif
        let ledger = try LedgerFile(directory: folder.file("logs/.taffrail")).entries()
        #expect(!ledger.contains { if case .drop(let drop)? = $0 { drop.sink == "pinger" } else { false } })
    }

    @Test func `the command stops, starts and explains a pinger, also in the next run`() async throws {
        let folder = TemporaryDirectory()
        let server = try StreamServer(host: "127.0.0.1", port: 0)
        try Self.configuration(folder, source: server.port, endpoint: "http://127.0.0.1:9/ping")
        func run() throws -> Program { try Program(["run", "--config", folder.file("taffrail.yaml")], in: folder) }
        func pinger(_ words: String...) async throws -> (code: CInt, output: String, errors: String) {
            let result = try await Program.run(
                ["pinger"] + words + ["--config", folder.file("taffrail.yaml")], in: folder)
            return (CInt(result.code), result.output, result.errors)
        }
        let none = try await pinger("status")
        #expect(none.code == 66 && none.errors.contains("no program with a control socket"))
        let program = try run()
        #expect(try await eventually { try await pinger("status").code == 0 }, "\(folder.text("errors"))")
        let stopped = try await pinger("stop", "--for", "2h")
        #expect(
            stopped.output.hasPrefix("state stopped\nmode stationaryDay\ndevice boat\nuntil 20"), "\(stopped.errors)")
        program.send(SIGKILL)
        _ = await program.wait()
        let next = try run()
        #expect(try await eventually { try await pinger().output.hasPrefix("state stopped\n") })
        #expect(try await pinger("start").output.hasPrefix("state running\n"))
        var second = 0.0
        #expect(
            try await eventually {
                var bytes: [UInt8] = []
                for _ in 0..<2 {
                    NMEAWriter().append(PingerTrial.fix(second, speed: 8), to: &bytes)
                    second += 1
                }
                server.send(bytes)
                return try await pinger("status", "--explain").output.contains("explanation moving at ")
            })
        #expect(try await pinger("ping", "--json").output.hasPrefix("{\"ok\":true,\"state\":\"running\""))
        #expect(try await pinger("stop", "--for", "soon").code == 64)
        #expect(try await pinger("status", "--name", "other").code == 65)
        next.send(SIGTERM)
        #expect(await next.wait() == 0)
    }
}
#endif
