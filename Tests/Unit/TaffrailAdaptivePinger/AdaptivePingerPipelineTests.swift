#if HTTP && Configuration
import Foundation
import TaffrailConfiguration
import TaffrailGeoRecorder
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailAdaptivePinger
@testable import TaffrailDelivery
@testable import TaffrailGeo
@testable import TaffrailText

/// The sink with its input, a log file and a recorder in a pipeline of a configuration.
@Suite(.heavy) struct AdaptivePingerPipelineTests {
    /// A running configuration.
    private final class Ship {
        let folder = TemporaryDirectory()
        let server: FaultServer
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(handleSignals: false))
        private(set) var live: LiveConfiguration?
        private let registry: PluginRegistry

        init(_ more: String = "") throws {
            server = try FaultServer()
            registry = try PluginRegistry([FilePlugin.self, GeoRecorderPlugin.self, AdaptivePingerPlugin.self])
            try configure(more)
            let file = folder.file("taffrail.yaml")
            let plan = try Plan.read(file: file, registry: registry, environment: [:])
            live = try Pipeline.start(
                plan, file: file, registry: registry, environment: [:], in: pipeline, watches: false)
            pipeline.begin()
        }

        func configure(_ more: String) throws {
            try folder.write(
                """
                queue: { handle_signals: false }
                plugins:
                  file: { path: "\(folder.file("app.log"))", format: json }
                  geo-recorder: { directory: "\(folder.file("drives"))" }
                  pinger:
                    endpoint: "http://127.0.0.1:\(server.port)/ping/0123456789abcdef?key=opensesame"
                    device_id: boat
                    night: false
                    drain: 0
                    longest_retry: 1s
                    spool: { directory: "\(folder.file("spool"))" }
                    \(more)
                """, to: "taffrail.yaml")
        }

        func log(_ fix: Location) { GeoEvent.location(fix).log(into: pipeline, isReplayed: true) }

        func ask(_ name: String) throws -> ControlCommand.Answer {
            try pipeline.execute(ControlCommand(name), by: "pinger")
        }

        /// The records of a logger in the file.
        func logged(by logger: String) -> [[String: Any]] {
            folder.lines("app.log").compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
            }.filter { $0["logger"] as? String == logger }
        }
    }

    @Test func `every attempt is a record of the logger pinger, without coordinates`() async throws {
        let ship = try Ship()
        let answers = Locked(0)
        // A receiver that quotes what it refuses.
        ship.server.reply { request in
            let body = request.line + String(decoding: request.plainBody, as: UTF8.self)
            return answers.withLock { number in
                number += 1
                return number == 1 ? .answer(503, body: body) : .answer(200)
            }
        }
        ship.log(PingerTrial.fix(0, speed: 4))
        #expect(await eventually { ship.logged(by: "pinger").count == 2 })
        let attempts = ship.logged(by: "pinger")
        try #require(attempts.count == 2)
        let attributes = attempts.compactMap { $0["attributes"] as? [String: Any] }
        #expect(attempts.map { $0["level"] as? String } == ["warning", "info"])
        #expect(attempts.map { $0["event"] as? String } == ["ping.attempt", "ping.attempt"])
        #expect(attributes.map { $0["http.response.status_code"] as? Int } == [503, 200])
        #expect(attributes.map { $0["taffrail.ping.attempt"] as? Int } == [1, 2])
        #expect(attributes.map { $0["taffrail.ping.reason"] as? String } == ["first", "first"])
        #expect(attributes.allSatisfy { ($0["taffrail.ping.latency"] as? Double ?? -1) >= 0 })
        #expect((attempts[0]["message"] as? String)?.hasSuffix("returned 503") == true)
        let text = "\(attempts)" + ship.folder.text(".taffrail/pinger.status")
        for secret in ["55.67", "12.56", "latitude", "0123456789abcdef", "opensesame"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(!attributes.contains { $0.keys.contains { $0.hasPrefix("geo.") } })
        // The attempts are no positions: they cause no further ping.
        #expect(ship.pipeline.shutdown())
        #expect(ship.server.requests.count == 2)
    }

    @Test func `attempts have nothing of the program's context, and its own records have it`() async throws {
        let ship = try Ship()
        let context = PublishedContext()
        ship.pipeline.add(context)
        try context.publish(["vessel": "Gudrun", "geo.location.lat": 55.75])
        ship.log(PingerTrial.fix(0, speed: 4))
        ship.pipeline.logger("bridge").info("cast off")
        #expect(await eventually { ["pinger", "bridge"].allSatisfy { !ship.logged(by: $0).isEmpty } })
        #expect(ship.pipeline.shutdown())
        let attempts = ship.logged(by: "pinger").compactMap { $0["attributes"] as? [String: Any] }
        #expect(attempts.map { $0["http.response.status_code"] as? Int } == [200])
        #expect(!attempts.contains { $0.keys.contains { $0 == "vessel" || $0.hasPrefix("geo.") } }, "\(attempts)")
        let own = ship.logged(by: "bridge").compactMap { $0["attributes"] as? [String: Any] }
        #expect(own.map { $0["vessel"] as? String } == ["Gudrun"])
        #expect(own.map { $0["geo.location.lat"] as? Double } == [55.75])
    }

    @Test func `file, recorder and pinger get every fix, and a reload keeps what the policy knows`() async throws {
        let ship = try Ship()
        #expect(await eventually { (try? ship.ask("status")) != nil })
        let fixes = Array(DayOfLegs.fixes(from: PingerTrial.start, seed: 4)[380..<1_400])
        var policy = PingPolicy(PingSettings())
        policy.settings.night = nil
        var expected: [Timestamp] = []
        for (index, fix) in fixes.enumerated() {
            if index == 500 {
                #expect(ship.pipeline.flush())
                try ship.configure("moving: { interval: 40s }")
                try ship.live?.reload()
                policy.settings.moving.interval = .seconds(40)
            }
            ship.log(fix)
            if let ping = policy.evaluate(fix).ping { expected.append(ping.timestamp) }
        }
        #expect(ship.pipeline.flush())
        #expect(expected.count > 20)
        // The request that was under way at the reload may be repeated.
        func times() -> [Timestamp] {
            ship.server.requests.compactMap { request in
                (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
            }.compactMap { $0["timestamp"] as? String }.compactMap { RFC3339.timestamp($0) }
                .reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }
        #expect(await eventually { times().count >= expected.count })
        #expect(times() == expected)
        #expect(ship.logged(by: "geo").count == fixes.count)
        // The new input has taken over.
        #expect(await eventually { (try? ship.ask("status")["device"]) == "boat" })
        #expect(try ship.ask("stop")["state"] == "stopped")
        #expect(ship.pipeline.shutdown())
        let recordings = try FileManager.default.contentsOfDirectory(atPath: ship.folder.file("drives"))
            .filter { $0.hasPrefix("geo_log_") }
        let recorded = recordings.reduce(0) {
            $0 + ship.folder.text("drives/\($1)").components(separatedBy: "\"latitude\"").count - 1
        }
        #expect(recorded == fixes.count)
    }
}
#endif
