#if Configuration
import Taffrail
import TaffrailConfiguration
import Testing

/// Every kind of mistake, each with the complete message.
@Suite struct ConfigurationErrorTests {
    static let harbourKeys = "berths, enabled, factor, flag, host, is_open, level, only, port, rotate, timeout, type"

    @Test(arguments: [
        (
            "level: info\nplugin: {}",
            "a.yaml:2:1: unknown key \"plugin\"; did you mean \"plugins\"? "
                + "known keys: level, levels, plugins, processors, queue"
        ),
        (
            "plugins:\n  harbor: { host: a }\n  plain:",
            "a.yaml:2:3: unknown plugin \"harbor\"; did you mean \"harbour\"? known plugins: harbour, plain"
        ),
        (
            "plugins:\n  audit: { type: plane }\n  plain:",
            "a.yaml:2:18: unknown plugin \"plane\"; did you mean \"plain\"? known plugins: harbour, plain"
        ),
        (
            "plugins: { plain: }\nprocessors:\n  - hoists",
            "a.yaml:3:5: unknown processor \"hoists\"; did you mean \"hoist\"? known processors: hoist"
        ),
        (
            "plugins:\n  harbour:\n    host: a\n    prot: 5",
            "a.yaml:4:5: unknown key \"prot\" in plugins.harbour; did you mean \"port\"? known keys: \(harbourKeys)"
        ),
        (
            "plugins:\n  harbour: { host: a, rotate: { kep: 5 } }",
            "a.yaml:2:33: unknown key \"kep\" in plugins.harbour.rotate; did you mean \"keep\"? known keys: keep, size"
        ),
        (
            "plugins: { plain: { hue: 5 } }",
            "a.yaml:1:21: unknown key \"hue\" in plugins.plain; known keys: colour, depth, enabled, level, only, type"
        ),
        (
            "queue: { when_ful: block }",
            "a.yaml:1:10: unknown key \"when_ful\" in queue; did you mean \"when_full\"? known keys: "
                + "block_limit, block_limit_seconds, capacity, directory, durable, flush_level, handle_signals, when_full"
        ),
    ]) func `an unknown name is reported with its location, the known ones and a suggestion`(
        text: String, message: String
    ) throws {
        let problems = try SamplePlugins.problems(text)
        #expect(problems == [message])
    }

    @Test(arguments: [
        ("plugins:\n  ? [plain]\n  : {}", "2:5: a key must be a scalar, not a list"),
        ("plugins: { {plain: }: 5 }", "1:12: a key must be a scalar, not a mapping"),
        ("level: &l info\nlevels: { net: *l }", "2:16: an alias (*l) is not supported"),
        ("? &k level\n: info\n? *k\n: info", "3:3: an alias (*k) is not supported"),
    ]) func `keys that are not text, and aliases, are rejected with their line and column`(
        text: String, message: String
    ) throws {
        #expect(try SamplePlugins.problems(text) == ["a.yaml:\(message)"])
    }

    @Test func `keys that consist of aliases of each other are rejected at once`() throws {
        // Without aliases, each level would be read twice as often as the one before.
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...40 {
            let list = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "? &a\(level) [\(list)]\n: \(level)\n"
        }
        let problems = try SamplePlugins.problems(text)
        #expect(problems == ["a.yaml:2:3: a key must be a scalar, not a list"])
    }

    @Test(arguments: [
        ("port: many", "1:28: plugins.harbour.port: must be an integer, not \"many\""),
        ("port: \"70\"", "1:28: plugins.harbour.port: must be an integer, not \"70\""),
        ("port: 1.5", "1:28: plugins.harbour.port: must be an integer, not 1.5"),
        ("port: 0640", "1:28: plugins.harbour.port: must be an integer, not 0640"),
        ("port: [1]", "1:28: plugins.harbour.port: must be an integer, not a list"),
        ("port: ", "1:22: plugins.harbour.port: must be an integer, not null"),
        (
            "port: 99999999999999999999",
            "1:28: plugins.harbour.port: must be an integer from -9223372036854775808 to 9223372036854775807, "
                + "not 99999999999999999999"
        ),
        ("is_open: yes", "1:31: plugins.harbour.is_open: must be true or false, not \"yes\""),
        ("factor: .inf", "1:30: plugins.harbour.factor: must be a number, not \".inf\""),
        ("host: { a: 1 }", "1:28: plugins.harbour.host: must be text, not a mapping"),
        ("berths: 3", "1:30: plugins.harbour.berths: must be a list, not 3"),
        ("berths: [1, b]", "1:34: plugins.harbour.berths[1]: must be an integer, not \"b\""),
        ("rotate: 3", "1:30: plugins.harbour.rotate: must be a mapping, not 3"),
        (
            "level: 3",
            "1:29: plugins.harbour.level: must be one of trace, debug, info, notice, warning, error, critical, "
                + "not \"3\""
        ),
    ]) func `a value of the wrong type is reported with the expected one`(option: String, message: String) throws {
        let host = option.hasPrefix("host") ? "" : ", host: a"
        let problems = try SamplePlugins.problems("plugins: { harbour: {\(option)\(host)} }")
        #expect(problems == ["a.yaml:\(message)"])
    }

    @Test(arguments: [
        ("port: 70000", "1:28: plugins.harbour.port: must be from 1 to 65535, not 70000"),
        ("timeout: 3d", "1:31: plugins.harbour.timeout: must be from 1s to 1m, not 3d"),
        ("timeout: 30", "1:31: plugins.harbour.timeout: needs a unit, such as 30ms, 30s or 30m"),
        (
            "timeout: soon",
            "1:31: plugins.harbour.timeout: must be a time with a unit, such as 250ms, 30s, 5m, 1h30m or 7d"
        ),
        ("rotate: { size: big }", "1:38: plugins.harbour.rotate.size: must be a size such as 64KiB, 10MiB or 2GB"),
        ("rotate: { keep: 0 }", "1:38: plugins.harbour.rotate.keep: must be from 1 to 100, not 0"),
        (
            "flag: gren",
            "1:28: plugins.harbour.flag: must be one of red, green, white, not \"gren\"; did you mean \"green\"?"
        ),
    ]) func `a value out of range is reported with the range`(option: String, message: String) throws {
        let problems = try SamplePlugins.problems("plugins: { harbour: {\(option), host: a} }")
        #expect(problems == ["a.yaml:\(message)"])
    }

    @Test func `a missing key and an option's own check are reported at their locations`() throws {
        #expect(
            try SamplePlugins.problems("plugins:\n  harbour:\n    port: 5")
                == ["a.yaml:2:3: plugins.harbour: needs the key \"host\""])
        #expect(
            try SamplePlugins.problems("plugins: { harbour: { host: \"\" } }")
                == ["a.yaml:1:29: plugins.harbour.host: must not be empty"])
        #expect(
            try SamplePlugins.problems("plugins: { harbour: { hots: a } }")
                == [
                    "a.yaml:1:12: plugins.harbour: needs the key \"host\"",
                    "a.yaml:1:23: unknown key \"hots\" in plugins.harbour; did you mean \"host\"? "
                        + "known keys: \(Self.harbourKeys)",
                ])
    }

    @Test func `a plugin that is known but not linked is reported as such, with product and trait`() throws {
        #expect(
            try SamplePlugins.problems("plugins:\n  journald: { identifier: ferry }\n  plain:")
                == [
                    "a.yaml:2:3: plugin \"journald\" is not part of this program; it is in product TaffrailJournald, "
                        + "with package trait Journald, and is added by JournaldPlugin in the list of plugins"
                ])
        #expect(
            try SamplePlugins.problems("plugins: { plain: }\nprocessors: [ { redaction: } ]")
                == [
                    "a.yaml:2:17: plugin \"redaction\" is not part of this program; it is in product "
                        + "TaffrailRedaction and is added by RedactionPlugin in the list of plugins"
                ])
    }

    @Test(arguments: [
        ("- a", "1:1: a configuration must be a mapping, not a list"),
        (
            "level: loud",
            "1:8: level: must be one of trace, debug, info, notice, warning, error, critical, not \"loud\""
        ),
        ("levels: info", "1:9: levels: must be a mapping of logger names to levels, not \"info\""),
        (
            "levels: { a.b: 5 }",
            "1:16: levels.a.b: must be one of trace, debug, info, notice, warning, error, critical, not \"5\""
        ),
        ("queue: 5", "1:8: queue: must be a mapping, not 5"),
        ("queue: { capacity: 1GB1 }", "1:20: queue.capacity: must be a size such as 64KiB, 10MiB or 2GB"),
        ("queue: { capacity: 1KiB }", "1:20: queue.capacity: must be from 64KiB to 1GiB, not 1KiB"),
        (
            "queue: { when_full: dropp }",
            "1:21: queue.when_full: must be one of block, drop_newest, drop_below, not \"dropp\""
        ),
        (
            "queue: { flush_level: nevr }",
            "1:23: queue.flush_level: must be one of trace, debug, info, notice, warning, error, critical, never, "
                + "not \"nevr\""
        ),
        ("queue: { when_full: drop_below }", "1:21: queue.when_full: needs a level, such as {drop_below: warning}"),
        ("queue: { directory: tmp }", "1:21: queue.directory: must be an absolute path, not \"tmp\""),
        ("plugins: [file]", "1:10: plugins: must be a mapping, not a list"),
        ("plugins: { hoist: }", "1:12: \"hoist\" is a processor; list it under \"processors:\""),
        ("plugins: { plain: { enabled: maybe } }", "1:30: plugins.plain.enabled: must be true or false, not \"maybe\""),
        ("plugins: { plain: { type: [] } }", "1:27: plugins.plain.type: must be the name of a plugin, not a list"),
        ("plugins: { plain: 5 }", "1:19: plugins.plain: must be a mapping, not 5"),
        (
            "plugins: { plain: { enabled: false } }",
            "1:1: plugins: no sink is enabled, so all records would be dropped; known sinks: harbour, plain"
        ),
        (
            "processors: { hoist: }",
            "1:13: processors: must be a list, such as \"- sampling: {rate: 0.1}\", not a mapping"
        ),
        ("processors: [plain]", "1:14: \"plain\" is not a processor; list it under \"plugins:\""),
        (
            "processors: [{ hoist: , b: }]",
            "1:14: processors[0]: must be one processor with its options, not a mapping"
        ),
    ]) func `a section of the wrong type is reported`(text: String, message: String) throws {
        let problems = try SamplePlugins.problems(text)
        #expect(problems == ["a.yaml:\(message)"])
    }

    @Test(arguments: [
        ("level: info\nlevel: debug", "2:1: duplicate key in a mapping: \"level\""),
        ("level: info\r\n# note\r\nlevel: debug\r\n", "3:1: duplicate key in a mapping: \"level\""),
        ("plugins:\r\n\tfile: {}\r\n", "2:1: invalid YAML: a tab; indent with spaces"),
        (
            "plugins:\n  file:\n    mode: 5\n# plain:\n  \"plain\":\n  plain : 5\nlevels: {}",
            "6:3: duplicate key in a mapping: \"plain\""
        ),
        ("levels: { a: info, a: info }", "1:11: duplicate key in a mapping: \"a\""),
        ("level: \"info", "1:13: invalid YAML: while scanning a quoted scalar, found unexpected end of stream"),
        ("a: b: c", "1:5: invalid YAML: mapping values are not allowed in this context"),
        ("level: *gone", "1:8: an alias (*gone) is not supported"),
        (
            "level: info\n---\nlevel: debug",
            "2:1: invalid YAML: expected a single document in the stream, but found another document"
        ),
        ("level: info\n\u{1}", "2:1: invalid YAML: control characters are not allowed"),
    ]) func `invalid YAML is reported with its location`(text: String, message: String) throws {
        let problems = try SamplePlugins.problems(text)
        #expect(problems == ["a.yaml:\(message)"])
    }

    @Test func `all problems are reported, in the order of the lines`() throws {
        let problems = try SamplePlugins.problems(
            "level: loud\nplugins:\n  harbour: { port: 0 }\n  plain: { x: 1 }\nqueue: 3",
            environment: ["TAFFRAIL_LEVEL": "x"])
        #expect(
            problems.map { $0.prefix { $0 != " " } } == [
                "TAFFRAIL_LEVEL:", "a.yaml:1:8:", "a.yaml:3:3:", "a.yaml:4:12:", "a.yaml:5:8:",
            ])
    }

    @Test func `an invalid level in the environment is reported`() throws {
        #expect(
            try SamplePlugins.problems("", environment: ["TAFFRAIL_LEVEL": "debgu"])
                == [
                    "TAFFRAIL_LEVEL: unknown level \"debgu\"; did you mean \"debug\"? "
                        + "known levels: critical, debug, error, info, notice, trace, warning"
                ])
    }
}
#endif
