#if Configuration && HTTP && Journald && Server && Store
import Taffrail
import TaffrailConfiguration
import Testing

@testable import TaffrailMain

/// Each option that is a path rejects text that only a shell would expand, with its line.
@Suite struct PathOptionTests {
    private static let delivery: Set = ["token_file", "authority", "certificate", "key", "directory"]

    /// The options that are paths, by plugin.
    private static let paths: [String: Set<String>] = [
        "alerts": ["path"], "file": ["path"], "geo-attributes": ["database"], "geo-recorder": ["directory"],
        "geo-replay": ["file", "control"],
        "http": delivery, "journald": ["socket"], "location-store": ["path"], "log-store": ["path"], "nmea": ["source"],
        "pinger": delivery,
        "receiver": [
            "token_file", "certificate", "key", "recordings", "log_store", "location_store", "tiles", "alerts",
        ],
    ]

    /// The options that contain the name of a receiver, which is looked up in positions and never opened.
    private static let receivers: [String: Set<String>] = [
        "gpsd": ["device"], "geo-replay": ["device"], "pinger": ["receiver"],
    ]

    /// An option of a sample, which may be commented out.
    private struct Option {
        let indent: String
        let name: String
        let value: String

        init?(_ line: Substring) {
            let text = line.drop { $0 == " " }
            indent = String(line.prefix(line.count - text.count))
            let option = text.hasPrefix("# ") ? text.dropFirst(2) : text
            guard let colon = option.firstRange(of: ": "), !option[..<colon.lowerBound].contains(" ") else {
                return nil
            }
            name = String(option[..<colon.lowerBound])
            value = String(option[colon.upperBound...])
        }
    }

    private func problems(_ text: String, named name: String) throws -> [String] {
        let registry = try PluginRegistry(BuiltInPlugins.all)
        do throws(ConfigurationError) {
            _ = try Plan.read(text: text, named: name, registry: registry, environment: [:])
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func `each path in a sample is refused with a hint when it starts with ~ or $`() throws {
        let registry = try PluginRegistry(BuiltInPlugins.all)
        var seen: [String: Set<String>] = [:]
        for entry in registry.entries {
            let lines = entry.sample.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                guard let option = Option(line), Self.paths[entry.name]?.contains(option.name) == true else { continue }
                seen[entry.name, default: []].insert(option.name)
                for start in ["~", "$"] {
                    var changed = lines
                    changed[index] = "\(option.indent)\(option.name): \(start)HOME/x"
                    let found = try problems(changed.joined(separator: "\n"), named: entry.name)
                    let hint = "\(option.name): \"\(start)HOME/x\" starts with \(start), which only a shell expands"
                    #expect(
                        found.contains { $0.hasPrefix("\(entry.name):\(index + 1):") && $0.contains(hint) },
                        "\(entry.name) \(option.name): \(found)")
                }
            }
        }
        #expect(seen == Self.paths)
    }

    @Test func `each option whose sample looks like a path is known to be one`() throws {
        for entry in try PluginRegistry(BuiltInPlugins.all).entries {
            let known = (Self.paths[entry.name] ?? []).union(Self.receivers[entry.name] ?? [])
            for option in entry.sample.split(separator: "\n").compactMap({ Option($0) })
            where option.value.hasPrefix("/") || option.value.contains(":/dev/") {
                #expect(known.contains(option.name), "\(entry.name): \(option.name)")
            }
        }
    }

    @Test(arguments: [
        ("plugins: { memory: }\nqueue: { directory: ~/x }", "a.yaml:2:21: queue.directory"),
        ("plugins: { memory: , nmea: { source: \"serial:~/x?baud=4800\" } }", "a.yaml:1:38: plugins.nmea.source"),
        (
            "plugins: { memory: , geo-attributes: { source: \"nmea:~/x\" } }",
            "a.yaml:1:48: plugins.geo-attributes.source"
        ),
        (
            "plugins: { geo-recorder: { upload: { url: \"https://a/recordings\", token_file: ~/x } } }",
            "a.yaml:1:79: plugins.geo-recorder.upload.token_file"
        ),
    ]) func `a path that no sample has is refused too`(text: String, place: String) throws {
        let found = try problems(text, named: "a.yaml")
        #expect(found.count == 1 && found.first?.hasPrefix("\(place): \"~/x\" starts with ~") == true, "\(found)")
    }
}
#endif
