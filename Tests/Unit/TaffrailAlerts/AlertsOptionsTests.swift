#if Configuration
import TaffrailConfiguration
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailAlerts
@testable import TaffrailQuery

@Suite struct AlertsOptionsTests {
    private static func plan(_ rule: String) throws -> Plan {
        let registry = try PluginRegistry([AlertsPlugin.self])
        return try Plan.read(
            text: "plugins:\n  alerts:\n    rules:\n      - \(rule)\n", named: "a.yaml", registry: registry,
            environment: [:])
    }

    /// The problem of a rule.
    private static func problem(_ rule: String) throws -> String {
        do {
            _ = try plan(rule)
            return "none"
        } catch let error as ConfigurationError {
            return error.description
        }
    }

    @Test func `a rule is read with its defaults`() throws {
        let plan = try Self.plan("{ name: errors, query: \"level>=error\", window: 5m }")
        let options = try #require(plan.plugins.first?.plugin.options as? AlertsOptions)
        #expect(options.rules.count == 1)
        let rule = try #require(options.rules.first)
        #expect(rule.condition == .threshold(1, window: .minutes(5)) && rule.level == .warning && !rule.isByDevice)
    }

    @Test(arguments: [
        ("{ name: a, query: \"level>=loud\", window: 5m }", "a.yaml:4:27: ", "query"),
        ("{ name: a, query: \"since:-1h level:error\", window: 5m }", "a.yaml:4:27: ", "since"),
        ("{ name: a, query: \"\", window: 5m }", "a.yaml:4:27: ", "condition"),
        ("{ name: a, query: app }", "a.yaml:4:", "window"),
        ("{ name: a, query: app, window: 5 }", "a.yaml:4:40: ", "needs a unit"),
        ("{ name: a, query: app, window: 100ms }", "a.yaml:4:40: ", "must be from 1s to 31d"),
        ("{ name: a, query: app, window: 5m, threshold: 0 }", "a.yaml:4:55: ", "must be from 1"),
        ("{ name: a, query: app, window: 5m, silence: 5m }", "a.yaml:4:40: ", "silence"),
        ("{ name: a, query: app, window: 5m, by: logger }", "a.yaml:4:48: ", "must be device"),
        ("{ name: a, query: app, silence: 5m, devices: [x] }", "a.yaml:4:", "requires by: device"),
        ("{ name: a, query: app, silence: 5m, every: 1m }", "a.yaml:4:45: ", "every"),
        ("{ query: app, silence: 5m }", "a.yaml:4:", "name"),
    ]) func `a wrong rule is reported with its line and key`(rule: String, place: String, text: String) throws {
        let problem = try Self.problem(rule)
        #expect(problem.hasPrefix(place) && problem.contains("rules[0]") && problem.contains(text), "\(problem)")
    }

    @Test func `names are unique, and there is a rule`() throws {
        let twice = "{ name: a, query: app, window: 5m }\n      - { name: a, query: app, window: 6m }"
        #expect(try Self.problem(twice).contains("two rules are named \"a\""))
        let registry = try PluginRegistry([AlertsPlugin.self])
        #expect(throws: ConfigurationError.self) {
            try Plan.read(text: "plugins: { alerts: { rules: [] } }", registry: registry, environment: [:])
        }
    }
}
#endif
