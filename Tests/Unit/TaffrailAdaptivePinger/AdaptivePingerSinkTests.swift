#if HTTP
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailAdaptivePinger
@testable import TaffrailDelivery
@testable import TaffrailGeo
@testable import TaffrailText

@Suite(.mayBlock) struct AdaptivePingerSinkTests {
    private typealias Trial = PingerTrial

    @Test func `a ping arrives with its payload, its key and the token`() async throws {
        let trial = try Trial {
            $0.credentials.token = Secret("hunter2")
            $0.headers = ["X-Boat": Secret("ferry")]
        }
        trial.machine.battery.withLock { $0 = BatteryState(level: 0.75) }
        try trial.restart()
        try trial.take(Trial.fix(0, speed: 3), Trial.fix(1, speed: 3))
        #expect(await eventually { trial.server.requests.count == 1 })
        let request = try #require(trial.server.requests.first)
        #expect(
            String(decoding: request.body, as: UTF8.self) == #"{"deviceId":"boat","timestamp":"2026-01-05T11:00:00Z","#
                + #""latitude":55.6761,"longitude":12.5683,"horizontalAccuracyMeters":5.0,"speedMps":3.0,"#
                + #""mode":"moving","batteryLevel":0.75}"#)
        #expect(request.line == "POST /ping HTTP/1.1" && request.headers["content-type"] == "application/json")
        #expect(request.key == "\"pinger-000000000000abcd-1-1\"")
        #expect(request.headers["authorization"] == "Bearer hunter2" && request.headers["x-boat"] == "ferry")
    }

    @Test func `records that are no positions cost nothing`() throws {
        let trial = try Trial()
        try trial.write((0..<10).map { LogRecord(level: .info, message: "line \($0)") })
        #expect(trial.sink.position(in: Trial.run) == nil)
        let end = try trial.take(Trial.fix(0))
        #expect(trial.sink.position(in: Trial.run) == end)
        try trial.write([LogRecord(level: .info, message: "a line")])
        #expect(trial.sink.position(in: Trial.run) == end)
    }

    /// The day, every few fixes a batch.
    private static let batches: [[Location]] = {
        let fixes = DayOfLegs.fixes(from: Trial.start, seed: 9)
        return stride(from: 0, to: fixes.count, by: 37).map { Array(fixes[$0..<min($0 + 37, fixes.count)]) }
    }()

    private static func records(_ fixes: [Location]) -> [LogRecord] {
        fixes.map { GeoEvent.location($0).record(received: $0.timestamp) }
    }

    /// The times that a policy without interruption sends.
    private static func expected(_ settings: PingSettings) -> [Timestamp] {
        var policy = PingPolicy(settings, home: DayOfLegs.home)
        return batches.joined().compactMap { policy.evaluate($0).ping?.timestamp }
    }

    @Test func `wherever it is interrupted, and whatever is offered again, the pings are the same`() throws {
        let trial = try Trial { $0.policy.settings.heartbeat = .hours(2) }
        trial.server.stop()
        trial.home.coordinate = DayOfLegs.home
        var random = SeededGenerator(seed: 5)
        var first: UInt64 = 1
        for batch in Self.batches {
            try trial.write(Self.records(batch), numbered: first)
            // The queue does not know that the batch has been taken: it offers some of it again, alone or with more.
            if Int.random(in: 0..<3, using: &random) == 0 {
                try trial.write(
                    Self.records(batch.suffix(5)), numbered: first + UInt64(batch.count) - UInt64(min(5, batch.count)))
            }
            if Int.random(in: 0..<8, using: &random) == 0 { try trial.restart() }
            first += UInt64(batch.count)
        }
        #expect(try trial.waiting() == Self.expected(trial.options.policy.settings))
        #expect(try trial.waiting().count > 50)
    }

    @Test func `a write that a kill has torn is offered again, and is decided as before`() throws {
        let trial = try Trial()
        trial.server.stop()
        trial.home.coordinate = DayOfLegs.home
        var first: UInt64 = 1
        for (index, batch) in Self.batches.enumerated() {
            let before = trial.sink.position(in: Trial.run)
            let sizes = try Self.sizes(trial)
            try trial.write(Self.records(batch), numbered: first)
            if index % 5 == 0, let (path, size) = sizes.last, let now = try FileStatus.of(path)?.size, now > size {
                let torn = size + (now - size) * Int64(index % 7) / 7
                try trial.sink.close()
                try FileDescriptor(path, [.readWrite]).truncate(to: torn)
                // That there was one slot more written is as if it had not been.
                try trial.restart()
                #expect(trial.sink.position(in: Trial.run) == before)
                try trial.write(Self.records(batch), numbered: first)
            }
            first += UInt64(batch.count)
        }
        #expect(try trial.waiting() == Self.expected(trial.options.policy.settings))
    }

    private static func sizes(_ trial: Trial) throws -> [(String, Int64)] {
        let names = try FileManager.default.contentsOfDirectory(atPath: trial.spool).filter { $0.hasSuffix(".segment") }
        return try names.sorted().map { name in
            let path = trial.spool + "/" + name
            return (path, try FileStatus.of(path)?.size ?? 0)
        }
    }

    @Test func `low battery, simulated fixes and another receiver are judged as configured`() async throws {
        let trial = try Trial {
            $0.policy.settings.lowBattery = 0.3
            $0.policy.settings.simulated = false
        }
        trial.machine.battery.withLock { $0 = BatteryState(level: 0.2) }
        try trial.restart()
        try trial.take(Trial.fix(0, speed: 5))
        // 15 s and 25 m are reached, but the battery is low: 30 s are needed.
        try trial.take(Trial.fix(16, north: 80, speed: 5), Trial.fix(17, north: 85, speed: 5).simulated())
        #expect(
            try trial.ask("status")["decisions"]
                == .map([
                    LogValueEntry("first", 1), LogValueEntry("interval", 1), LogValueEntry("simulated", 1),
                ]))
        try trial.take(Trial.fix(31, north: 155, speed: 5))
        var other = Trial.fix(70, north: 5_000, speed: 5)
        other.extra.device = "/dev/other"
        try trial.take(other)
        #expect(await eventually { trial.times.count == 2 })
        #expect(trial.times == ["2026-01-05T11:00:00Z", "2026-01-05T11:00:31Z"])
        // After two minutes without a fix of the one in use the other one counts.
        other.timestamp = Trial.start + .seconds(160)
        try trial.take(other)
        #expect(await eventually { trial.times.last == "2026-01-05T11:02:40Z" })
        #expect(try trial.ask("status")["receiver"] == "/dev/other")
        try trial.restart { $0.receiver = "/dev/gps" }
        other.timestamp = Trial.start + .seconds(900)
        try trial.take(other)
        other.extra.device = "/dev/gps"
        other.timestamp = Trial.start + .seconds(1_800)
        var last = other
        last.coordinate = DayOfLegs.home
        last.timestamp = last.timestamp + .seconds(60)
        try trial.take(other, last)
        #expect(await eventually { trial.times.last == "2026-01-05T11:31:00Z" })
    }

    @Test func `Overland gets several pings a request, confirmed by the body`() async throws {
        let trial = try Trial { $0.dialect = .overland }
        let isConfirmed = Locked(false)
        trial.server.reply { _ in .answer(200, body: isConfirmed.withLock { $0 } ? #"{"result":"ok"}"# : "{}") }
        for number in 0..<5 { try trial.take(Trial.fix(Double(number) * 400, north: Double(number) * 300)) }
        #expect(await eventually { trial.server.requests.count > 2 })
        isConfirmed.withLock { $0 = true }
        #expect(await eventually { (try? SpoolInspection(trial.spool).summary().records) == 0 })
        // Each request that was confirmed, and each ping in one of them.
        let confirmed = Dictionary(
            zip(trial.server.requests.map(\.key), trial.pings), uniquingKeysWith: { _, last in last })
        let times = confirmed.values.flatMap { $0["locations"] as? [[String: Any]] ?? [] }
            .compactMap { ($0["properties"] as? [String: Any])?["timestamp"] as? String }
        #expect(Set(times).count == 5 && times.count == 5, "\(times)")
        #expect(confirmed.count < 5)
    }

    @Test func `a form is sent for OsmAnd`() async throws {
        let trial = try Trial { $0.dialect = .osmand }
        try trial.take(Trial.fix(0))
        #expect(await eventually { trial.server.requests.count == 1 })
        #expect(trial.server.requests[0].headers["content-type"] == "application/x-www-form-urlencoded")
        #expect(
            String(decoding: trial.server.requests[0].body, as: UTF8.self).hasPrefix("id=boat&timestamp=1767610800000&")
        )
    }

    @Test func `pings wait through an outage, and arrive once each in order`() async throws {
        let trial = try Trial()
        let answers = Locked(0)
        trial.server.reply { _ in
            switch answers.withLock({ number in
                number += 1
                return number % 6
            }) {
            case 1: .answer(503)
            case 2: .answer(429, headers: ["Retry-After": "0"])
            case 3: .close
            case 4: .raw("nonsense\r\n\r\n")
            default: .answer(200)
            }
        }
        for number in 0..<12 { try trial.take(Trial.fix(Double(number) * 400, north: Double(number) * 300)) }
        #expect(await eventually { (try? SpoolInspection(trial.spool).summary().records) == 0 })
        var seen: [String] = []
        for time in trial.times where !seen.contains(time) { seen.append(time) }
        #expect(seen.count == 12 && seen == seen.sorted())
    }
}
#endif
