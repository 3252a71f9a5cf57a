#if Configuration
import Taffrail
import TaffrailConfiguration
import Testing

@Suite struct PlanTests {
    @Test func `a complete configuration becomes a plan`() throws {
        let plan = try SamplePlugins.read(
            """
            level: notice
            levels: { net.http: debug, net: error }
            queue: { capacity: 1MiB, when_full: { drop_below: warning }, durable: false, block_limit: 500ms,
                     flush_level: never, handle_signals: false, directory: /var/tmp }
            processors:
              - hoist
              - hoist: { depth: 3 }
            plugins:
              harbour:
                host: "127.0.0.1"
                port: 1
                is_open: false
                factor: 1.5
                timeout: 1m
                flag: red
                level: WARN
                berths: [3, 4]
                rotate: { size: 10MiB }
              plain:
              second: { type: plain, colour: 7 }
              third: { type: plain, enabled: false }
            """)
        #expect(plan.level == .notice)
        #expect(plan.levels == ["net.http": .debug, "net": .error])
        #expect(
            plan.queue
                == QueueOptions(
                    capacity: 1 << 20, whenFull: .dropBelow(.warning), durable: false, blockLimit: .seconds(0.5),
                    flushLevel: nil, handleSignals: false, directory: "/var/tmp"))
        #expect(plan.processors.map(\.plugin.plugin) == ["hoist", "hoist"])
        #expect(plan.plugins.map(\.name) == ["harbour", "plain", "second"])
        let harbour = try #require(plan.plugins[0].plugin.options as? HarbourOptions)
        #expect(harbour.port == 1 && !harbour.isOpen && harbour.factor == 1.5 && harbour.timeout == .minutes(1))
        #expect(harbour.flag == .red && harbour.level == .warning && harbour.berths == [3, 4])
        #expect(harbour.rotate?.size == .mebibytes(10) && harbour.rotate?.keep == 5)
        #expect(plan.plugins[2].plugin.options as? PlainOptions == PlainOptions(colour: "7", depth: nil))
    }

    /// Options of a part that keeps its state next to the log.
    private struct BesideOptions: PluginOptions {
        static var keepsStateBesideLog: Bool { true }
    }

    private enum BesidePlugin: Plugin {
        static func register(in registry: inout PluginRegistry) throws {
            try registry.addProcessor("beside") { (_: BesideOptions, _) in SamplePlugins.Hoist() }
        }
    }

    @Test(arguments: ["/no/where", "/no/wh\u{E9}re/d\u{E9}j\u{E0}", "/"])
    func `a part that keeps its state next to the log knows the log's directory and name`(directory: String) throws {
        let path = directory == "/" ? "/app.log" : "\(directory)/app.log"
        let plan = try Plan.read(
            text: "processors: [beside]\nplugins: { file: { path: '\(path)' } }",
            registry: PluginRegistry([FilePlugin.self, BesidePlugin.self]), environment: [:])
        let instance = try #require(plan.processors.first).plugin.instance
        #expect(instance.logDirectory == directory && instance.log == "app.log")
    }

    @Test(arguments: ["", "# nothing yet\n", "---\n", "~"]) func `an empty file means the defaults`(text: String) throws
    {
        let plan = try SamplePlugins.read(text)
        #expect(plan.level == .info && plan.plugins.isEmpty && plan.queue == QueueOptions())
    }

    @Test(arguments: [
        ("block_limit: 1m30s", Duration.seconds(90)), ("block_limit: 0", .zero),
        ("block_limit_seconds: 0.5", .seconds(0.5)),
        ("block_limit_seconds: 7", .seconds(7)), ("block_limit_seconds: 250ms", .milliseconds(250)),
    ]) func `how long a call waits has a unit, and its older name takes seconds too`(text: String, limit: Duration)
        throws
    {
        #expect(try SamplePlugins.read("queue: { \(text) }").queue.blockLimit == limit)
    }

    @Test(arguments: [
        ("block_limit: 5", "1:23: queue.block_limit: needs a unit, such as 5ms, 5s or 5m"),
        ("block_limit: 2h", "1:23: queue.block_limit: must be from 0s to 1h, not 2h"),
        ("block_limit_seconds: 3601", "1:31: queue.block_limit_seconds: must be from 0.0 to 3600.0, not 3601.0"),
        (
            "block_limit_seconds: soon",
            "1:31: queue.block_limit_seconds: must be a time with a unit, such as 250ms, 30s, 5m, 1h30m or 7d"
        ),
        (
            "block_limit_seconds: 5, block_limit: 5s",
            "1:31: queue.block_limit_seconds: cannot be combined with block_limit"
        ),
    ]) func `a wrong time that a call waits is rejected`(text: String, message: String) throws {
        #expect(try SamplePlugins.problems("queue: { \(text) }") == ["a.yaml:\(message)"])
    }

    @Test func `the environment overrides the level`() throws {
        #expect(try SamplePlugins.read("level: error", environment: ["TAFFRAIL_LEVEL": "debug"]).level == .debug)
    }

    @Test func `the environment overrides the levels that it names, and no others`() throws {
        let text = "level: error\nlevels: { net: info, db: notice }"
        let plan = try SamplePlugins.read(text, environment: ["TAFFRAIL_LEVEL": "net=trace,net.http=debug"])
        #expect(plan.level == .error)
        #expect(plan.levels == ["net": .trace, "db": .notice, "net.http": .debug])
    }

    @Test func `equal options make the same plugin, other options another`() throws {
        func harbour(_ port: String) throws -> PlannedPlugin {
            let text = "plugins: { harbour: { host: a, rotate: { size: \(port) } } }"
            return try SamplePlugins.read(text).plugins[0].plugin
        }
        #expect(try harbour("1KiB").isSame(as: harbour("1024")))
        #expect(try !harbour("1KiB").isSame(as: harbour("1kB")))
        let plain = try SamplePlugins.read("plugins: { plain: }").plugins[0].plugin
        #expect(try !harbour("1KiB").isSame(as: plain))
    }

    @Test func `a known plugin that is disabled need not be in the program`() throws {
        #expect(try SamplePlugins.problems("plugins: { plain: , journald: { enabled: false } }") == [])
    }

    @Test func `what a new plan changes is named`() throws {
        let old = try SamplePlugins.read(
            "plugins: { plain: , second: { type: plain, colour: 7 }, third: { type: plain } }")
        let new = try SamplePlugins.read(
            """
            level: debug
            queue: { capacity: 1MiB }
            plugins: { plain: { level: error }, second: { type: plain, colour: 8 }, fourth: { type: plain } }
            """)
        #expect(new.changes(from: old) == "added fourth; removed third; changed plain, second, level, queue")
        #expect(new.changes(from: new) == "")
    }
}
#endif
