#if Server && Store && Command && Configuration
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Alerts of `taffrail serve`.
@Suite(.heavy, .serialized) struct ServeAlertTests {
    /// Writes a configuration with alerts, and with a sink that gets nothing else.
    private static func configure(_ folder: TemporaryDirectory, _ rules: String) throws -> String {
        try folder.write(
            """
            plugins:
              alerts:
                rules: [\(rules)]
              pager: { type: file, path: alerts.log, format: json, only: { events: [taffrail.alert] } }

            """, to: "alerts.yaml")
        return folder.file("alerts.yaml")
    }

    private static func send(_ messages: [String], level: String = "error", device: String, to port: Int) async throws {
        let body = messages.map {
            "{\"level\":\"\(level)\",\"message\":\"\($0)\",\"attributes\":{\"device.id\":\"\(device)\"}}\n"
        }.joined()
        let answer = try await blocking {
            let connection = try Connection(port: port)
            let head =
                "POST /logs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            connection.send(Array((head + body).utf8))
            return Answer(connection.readToEnd())
        }
        #expect(answer.status == 200, "\(answer.body)")
    }

    /// The alerts that the sink has, as `STATE NAME DEVICE`.
    private static func alerts(_ folder: TemporaryDirectory) -> [String] {
        folder.lines("data/alerts.log").compactMap { line in
            let record = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
            let attributes = record?["attributes"] as? [String: Any]
            return ["state", "name", "device"].compactMap { attributes?["taffrail.alert.\($0)"] as? String }
                .joined(separator: " ")
        }
    }

    @Test func `received records raise alerts, which are forwarded, answered and stored, and no kill repeats them`()
        async throws
    {
        let folder = TemporaryDirectory()
        let file = try Self.configure(
            folder,
            """
            { name: errors, query: "level>=error", threshold: 5, window: 1h, by: device }, \
            { name: silent, query: "level>=trace", silence: 2s, by: device, devices: [beacon], level: error }
            """)
        let check = try await Program.run(["check", file])
        #expect(check.code == 0, "\(check.errors)")
        let served = ServedReceiver(in: folder, ["--config", file])
        try await served.start()
        try await Self.send((0..<6).map { "lost \($0)" }, device: "ferry", to: served.port)
        try await Self.send((0..<4).map { "lost \($0)" }, device: "tender", to: served.port)
        #expect(await eventually { Self.alerts(folder).contains("raised errors ferry") })
        #expect(await eventually { Self.alerts(folder).contains("raised silent beacon") })
        func raised() async throws -> [String: [String]] {
            let (status, json) = try await served.get("/api/alerts")
            #expect(status == 200, "\(json)")
            return (json["alerts"] as? [[String: Any]] ?? []).reduce(into: [:]) { result, rule in
                let raised = rule["raised"] as? [[String: Any]] ?? []
                result[rule["name"] as? String ?? ""] = raised.compactMap { $0["device"] as? String }.sorted()
            }
        }
        #expect(try await eventually { try await raised()["silent"]?.contains("ferry") == true })
        #expect(try await raised()["errors"] == ["ferry"])
        for round in 0..<3 {
            served.kill()
            try await served.start()
            try await Self.send(["lost again \(round)"], device: "ferry", to: served.port)
            // What was sent is counted, whether or not the kill came first.
            #expect(
                try await eventually {
                    let (_, json) = try await served.get("/api/alerts")
                    let rules = json["alerts"] as? [[String: Any]] ?? []
                    let counts = (rules.first?["raised"] as? [[String: Any]])?.compactMap { $0["count"] as? Int }
                    return counts == [7 + round]
                })
        }
        #expect(Self.alerts(folder).count { $0 == "raised errors ferry" } == 1)
        #expect(Self.alerts(folder).count { $0 == "raised silent beacon" } == 1)
        #expect(
            try await eventually {
                let found = try await served.get("/api/records?q=event:taffrail.alert+taffrail.alert.name=errors").json
                return (found["records"] as? [Any])?.count == 1
            })
        #expect(await served.stop() == 0)
    }

    @Test func `without alerts there are none, and a wrong configuration is reported with its place`() async throws {
        let folder = TemporaryDirectory()
        let served = ServedReceiver(in: folder)
        try await served.start()
        #expect(try await served.get("/api/alerts").status == 404)
        #expect(await served.stop() == 0)
        func problem(_ rules: String) async throws -> (code: Int32, output: String, errors: String) {
            try await Program.run(
                [
                    "serve", "--bind", "127.0.0.1:0", "--data", folder.file("data"), "--config",
                    try Self.configure(folder, rules),
                ])
        }
        let wrong = try await problem("{ name: errors, query: \"level>=loud\", window: 1h }")
        #expect(wrong.code == 78 && wrong.errors.hasPrefix(folder.file("alerts.yaml:3:")), "\(wrong.errors)")
        #expect(wrong.errors.contains("plugins.alerts.rules[0].query"), "\(wrong.errors)")
        try folder.write("plugins:\n  file: { path: x.log }\n", to: "twice.yaml")
        let twice = try await Program.run(
            ["serve", "--bind", "127.0.0.1:0", "--data", folder.file("data"), "--config", folder.file("twice.yaml")])
        #expect(
            twice.code == 78 && twice.errors.contains("twice.yaml:2:3: file: this name is in use"), "\(twice.errors)")
    }
}
#endif
