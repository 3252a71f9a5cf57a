#if Configuration
import Taffrail
import TaffrailConfiguration
import Testing

/// What every sink entry accepts in addition to its plugin's own options.
@Suite struct SinkEntryTests {
    @Test func `level and only become the sink's filter`() throws {
        let plan = try SamplePlugins.read(
            """
            plugins:
              plain: { level: warning, depth: 3 }
              second: { type: plain, only: { loggers: [net, db], events: [geo.location] } }
              third: { type: plain }
            """)
        #expect(
            plan.plugins.map(\.plugin.filter) == [
                SinkFilter(level: .warning), SinkFilter(loggers: ["net", "db"], events: ["geo.location"]), SinkFilter(),
            ])
        #expect(plan.warnings.isEmpty)
    }

    @Test func `problems with them are reported with their locations`() throws {
        let level = try SamplePlugins.problems("plugins: { plain: { level: loud } }")
        #expect(level.first?.contains("plugins.plain.level") == true, "\(level)")
        let unknown = try SamplePlugins.problems("plugins: { plain: { only: { logger: [net] } } }")
        #expect(unknown.first?.contains("unknown key \"logger\" in plugins.plain.only") == true, "\(unknown)")
        #expect(try !SamplePlugins.problems("plugins: { plain: { only: { loggers: [] } } }").isEmpty)
        #expect(try !SamplePlugins.problems("processors: [{ hoist: { only: {} } }]\nplugins: { plain: }").isEmpty)
    }

    @Test func `a sink with a level below the pipeline's causes a warning`() throws {
        let text = "level: info\nplugins:\n  plain: { level: debug }\n"
        let warnings = try SamplePlugins.read(text).warnings
        #expect(
            warnings.map(\.description) == [
                "a.yaml:3:3: plain: level: debug has no effect, because the pipeline's level is info"
            ])
        #expect(try SamplePlugins.read("levels: { net: debug }\n" + text).warnings.isEmpty)
    }

    @Test func `the level of a sink with only some loggers is compared with the levels of these`() throws {
        func warnings(_ levels: String, only names: String) throws -> [String] {
            let text = """
                level: info
                levels: { \(levels) }
                plugins:
                  plain: { level: debug, only: { loggers: [\(names)] } }
                """
            return try SamplePlugins.read(text).warnings.map(\.description)
        }
        func warning(_ level: String) -> String {
            "a.yaml:4:3: plain: level: debug has no effect, because the level of its loggers is \(level)"
        }
        #expect(try warnings("net: debug", only: "db") == [warning("info")])
        #expect(try warnings("net: debug", only: "ne") == [warning("info")])
        #expect(try warnings("net: debug, net.http: error", only: "net.http") == [warning("error")])
        #expect(try warnings("net: error, db: warning", only: "net, db") == [warning("warning")])
        // One of the loggers has the level, or the one above it, or one below it.
        #expect(try warnings("net: debug", only: "db, net") == [])
        #expect(try warnings("net: debug", only: "net.http") == [])
        #expect(try warnings("net: error, net.http: trace", only: "net") == [])
    }

    @Test func `two sinks with one destination are rejected before anything is opened`() throws {
        let registry = try PluginRegistry.withFile([])
        let text = """
            plugins:
              file: { path: /tmp/taffrail-nowhere/app.log }
              again: { type: file, path: /tmp/taffrail-nowhere/app.log, format: json }
            """
        let error = #expect(throws: ConfigurationError.self) { try Plan.read(text: text, registry: registry) }
        #expect(error?.description.contains(":3:3: again: has the same destination as file") == true)
    }
}
#endif
