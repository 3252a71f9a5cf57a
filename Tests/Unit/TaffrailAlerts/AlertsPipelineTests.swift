#if Configuration
import Foundation
import TaffrailConfiguration
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailAlerts
@testable import TaffrailQuery

/// The sink with its input, and a file that gets nothing but alerts, in a pipeline of a configuration.
@Suite(.mayBlock) struct AlertsPipelineTests {
    /// A program that runs once or more in a directory.
    private final class Run {
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(handleSignals: false))
        let live: LiveConfiguration
        private let folder: TemporaryDirectory
        private let registry: PluginRegistry

        init(in folder: TemporaryDirectory, rule: String) throws {
            self.folder = folder
            registry = try PluginRegistry([FilePlugin.self, AlertsPlugin.self])
            try Self.configure(rule, in: folder)
            let file = folder.file("taffrail.yaml")
            let plan = try Plan.read(file: file, registry: registry, environment: [:])
            live = try Pipeline.start(
                plan, file: file, registry: registry, environment: [:], in: pipeline, watches: false)
            pipeline.begin()
        }

        static func configure(_ rule: String, in folder: TemporaryDirectory) throws {
            try folder.write(
                """
                queue: { handle_signals: false }
                plugins:
                  file: { path: "\(folder.file("app.log"))" }
                  pager: { type: file, path: "\(folder.file("alerts.log"))", format: json, only: { events: [taffrail.alert] } }
                  alerts:
                    path: "\(folder.file("alerts.json"))"
                    rules: [{ name: errors, \(rule) }]
                """, to: "taffrail.yaml")
        }

        func log(_ count: Int) { for _ in 0..<count { pipeline.logger.error("lost") } }

        /// Ends the program in an orderly way.
        func stop() async {
            await live.stop()
            #expect(pipeline.shutdown())
        }
    }

    private static func alerts(_ folder: TemporaryDirectory) -> [[String: Any]] {
        folder.lines("alerts.log").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    private static func states(_ folder: TemporaryDirectory) -> [String] {
        alerts(folder).compactMap { ($0["attributes"] as? [String: Any])?["taffrail.alert.state"] as? String }
    }

    @Test func `an alert is a record that a sink can take alone, and a restart does not repeat it`() async throws {
        let folder = TemporaryDirectory()
        let rule = "query: \"level>=error\", threshold: 3, window: 1h"
        var run = try Run(in: folder, rule: rule)
        run.log(4)
        #expect(await eventually { Self.alerts(folder).count == 1 })
        let alert = try #require(Self.alerts(folder).first)
        #expect(alert["message"] as? String == "errors: 3 records in 1h" && alert["level"] as? String == "warning")
        #expect(alert["event"] as? String == "taffrail.alert" && alert["logger"] as? String == "alerts")
        let attributes = try #require(alert["attributes"] as? [String: Any])
        #expect(attributes["taffrail.alert.name"] as? String == "errors")
        #expect(attributes["taffrail.alert.query"] as? String == "level>=error")
        #expect(attributes["taffrail.alert.threshold"] as? Int == 3)
        await run.stop()
        run = try Run(in: folder, rule: rule)
        run.log(10)
        #expect(run.pipeline.flush())
        let status = try AlertStatus.read(folder.file("alerts.json"))
        #expect(status.count == 1 && status.first?.raised.first?.count == 14)
        await run.stop()
        #expect(Self.states(folder) == ["raised"])
        #expect(folder.text(".taffrail/alerts.status").contains("\"pending\":0,\"dropped\":0,\"uncounted\":0"))
        // Another program sees it in the file.
        #expect(try AlertStatus.read(folder.file("alerts.json")) == status)
    }

    @Test func `silence is reported although nothing is logged, and ends with a record`() async throws {
        let folder = TemporaryDirectory()
        let run = try Run(in: folder, rule: "query: \"level>=error\", silence: 1s")
        #expect(await eventually { Self.states(folder) == ["raised"] })
        run.log(1)
        #expect(await eventually { Self.states(folder).prefix(2) == ["raised", "resolved"] })
        await run.stop()
    }

    @Test func `an alert that was raised and not logged is logged by the next run, once`() async throws {
        let folder = TemporaryDirectory()
        let rule = AlertRule("errors", try LogSelection(parsing: "level>=error"), .threshold(1, window: .hours(1)))
        // As a program leaves it that is killed, or `taffrail recover`.
        let book = AlertBook(path: folder.file("alerts.json"))
        book.join([rule])
        try book.open([rule])
        try book.take(
            [StoredRecord(time: .now, level: .error, message: "lost")], ends: [1], of: RingID(1), upTo: 1)
        try book.leave(true)
        for _ in 0..<2 {
            let run = try Run(in: folder, rule: "query: \"level>=error\", window: 1h")
            #expect(await eventually { Self.states(folder) == ["raised"] })
            // Its own record has confirmed it.
            #expect(run.pipeline.flush())
            await run.stop()
        }
        #expect(Self.states(folder) == ["raised"])
    }

    @Test func `a reload that changes the level keeps an alert, and one that changes the rule forgets it`() async throws
    {
        let folder = TemporaryDirectory()
        let run = try Run(in: folder, rule: "query: \"level>=error\", threshold: 2, window: 1h")
        run.log(2)
        #expect(await eventually { Self.states(folder) == ["raised"] })
        try Run.configure("query: \"level>=error\", threshold: 2, window: 1h, level: critical", in: folder)
        try run.live.reload()
        run.log(2)
        #expect(run.pipeline.flush())
        #expect(try AlertStatus.read(folder.file("alerts.json")).first?.raised.count == 1)
        try Run.configure("query: \"level>=error\", threshold: 1, window: 1h, level: critical", in: folder)
        try run.live.reload()
        run.log(1)
        #expect(
            await eventually { Self.alerts(folder).compactMap { $0["level"] as? String } == ["warning", "critical"] })
        await run.stop()
    }

    @Test func `a damaged file is kept, and the rules start over`() async throws {
        let folder = TemporaryDirectory()
        try folder.write("{\"format\":", to: "alerts.json")
        let run = try Run(in: folder, rule: "query: \"level>=error\", window: 1h")
        run.log(1)
        #expect(await eventually { Self.states(folder) == ["raised"] })
        #expect(folder.text("alerts.json.damaged") == "{\"format\":")
        await run.stop()
    }

    @Test func `many alerts at a time are two writes of the file, and those that are dropped are counted`() throws {
        let folder = TemporaryDirectory()
        let path = folder.file("alerts.json")
        let rules = try ["one", "other"].map { name in
            var rule = AlertRule(name, try LogSelection(parsing: "level>=error"), .threshold(1, window: .hours(1)))
            rule.isByDevice = true
            return rule
        }
        let book = AlertBook(path: path)
        book.join(rules)
        try book.open(rules)
        let records = (0..<600).map {
            StoredRecord(time: .now, level: .error, message: "lost", device: "device \($0)")
        }
        try book.take(records, ends: (1...600).map { UInt64($0) }, of: RingID(1), upTo: 600)
        #expect(book.status.map(\.value) == [.int(1_000), .int(200), .int(0)])
        var files: Set<UInt64> = []
        var count = 0
        book.report { _ in
            if let file = try? FileStatus.of(path) { files.insert(file.inode) }
            count += 1
            return count <= 900
        }
        #expect(files.count == 1 && count == 901)
        // Another book reads what is stored.
        try book.leave(true)
        let bytes = try #require(try AlertBook.bytes(path))
        let table = try #require(AlertTable(json: bytes, now: 0))
        #expect(table.pending.count == 100 && table.dropped == 200)
    }

    @Test func `one process at a time has the file`() async throws {
        let folder = TemporaryDirectory()
        let rules = [AlertRule("errors", try LogSelection(parsing: "level>=error"), .silence(.seconds(1)))]
        let (one, other) = (AlertBook(path: folder.file("a.json")), AlertBook(path: folder.file("a.json")))
        one.join(rules)
        try one.open(rules)
        #expect(throws: SystemError.self) { try other.open(rules) }
        try one.leave(true)
        // A program that another test starts just now may still have a copy of the lock.
        #expect(await eventually { (try? other.open(rules)) != nil })
        try other.leave(false)
    }
}
#endif
