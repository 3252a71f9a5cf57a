#if Configuration && HTTP && Journald && Server && Store
import Foundation
import Taffrail
import TaffrailConfiguration
import TaffrailTestSupport
import Testing

@testable import TaffrailMain

/// All plugin folders have the same structure.
@Suite struct PluginFolderTests {
    static let root = Repository.root

    /// `Sinks/Journald` and so on.
    static let folders: [String] = {
        let plugins = root.appending(path: "Plugins")
        let kinds = (try? FileManager.default.contentsOfDirectory(atPath: plugins.path)) ?? []
        return kinds.flatMap { kind in
            let names = try? FileManager.default.contentsOfDirectory(atPath: plugins.appending(path: kind).path)
            return (names ?? []).filter { !$0.hasPrefix(".") }.map { "\(kind)/\($0)" }
        }.sorted()
    }()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: "Plugins/\(path)"), encoding: .utf8)
    }

    @Test func `there are plugins`() { #expect(Self.folders.count >= 6) }

    @Test(arguments: folders) func `a folder has its README, sample, plugin and options`(folder: String) throws {
        let name = folder.split(separator: "/")[1]
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "Plugins/\(folder)").path)
        for file in ["README.md", "sample.yaml", "\(name)Plugin.swift", "\(name)Options.swift"] {
            #expect(files.contains(file))
        }
        let nouns = [
            "Inputs": ["Input"], "Processors": ["Processor", "Guard"], "Sinks": ["Sink"], "Context": ["Context"],
        ]
        let kinds = try #require(nouns[String(folder.split(separator: "/")[0])])
        #expect(kinds.contains { files.contains("\(name)\($0).swift") })
    }

    @Test(arguments: folders) func `a README has a sentence, a table of options, failures and the sample`(
        folder: String
    ) throws {
        let readme = try text("\(folder)/README.md")
        #expect(readme.hasPrefix("# "))
        #expect(readme.contains("| option | default |"))
        #expect(readme.contains("\n## What happens on failure\n"))
        #expect(readme.contains("[sample.yaml](sample.yaml)"))
    }

    @Test(arguments: folders) func `a README's table and the sample name the same options`(folder: String) throws {
        let readme = try text("\(folder)/README.md")
        let table = readme.components(separatedBy: "| option | default |")[1].components(separatedBy: "\n\n")[0]
        let options = table.split(separator: "\n").compactMap { line in
            line.split(separator: "`").dropFirst().first.map(String.init)
        }
        #expect(!options.isEmpty)
        let sample = try text("\(folder)/sample.yaml")
        // `split.size` is the key `size:` below `split:`.
        for option in options {
            for key in option.split(separator: ".") { #expect(sample.contains("\(key):"), "\(option)") }
        }
    }

    @Test(arguments: folders) func `a plugin imports no other plugin`(folder: String) throws {
        let names = Self.folders.map { "Taffrail" + $0.split(separator: "/")[1] }
        let directory = Self.root.appending(path: "Plugins/\(folder)")
        for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) where file.hasSuffix(".swift") {
            for line in try text("\(folder)/\(file)").split(separator: "\n") where line.contains("import ") {
                let module = line.split(separator: " ").last.map(String.init) ?? ""
                #expect(!names.contains(module) && module != "Foundation", "\(file): \(line)")
            }
        }
    }

    /// The plugin's sample as a complete configuration: only a sink's sample contains a sink.
    private func withSink(_ entry: PluginRegistry.Entry) -> String {
        switch entry.kind {
        case .sink: entry.sample
        case .input, .context: entry.sample.replacing("plugins:\n", with: "plugins:\n  memory:\n", maxReplacements: 1)
        default: entry.sample + "plugins: { memory: }\n"
        }
    }

    @Test func `every sample decodes, and is what its plugin prints`() throws {
        let registry = try PluginRegistry(BuiltInPlugins.all)
        // A section is in the samples of the plugins that refer to it.
        for entry in registry.entries where entry.kind != .section {
            #expect(!entry.sample.isEmpty, "\(entry.name)")
            let text = withSink(entry)
            let plan = try Plan.read(text: text, named: entry.name, registry: registry, environment: [:])
            let parts = plan.plugins + plan.processors + plan.guards
            #expect(parts.contains { $0.plugin.plugin == entry.name }, "\(entry.name)")
        }
        for folder in Self.folders {
            let sample = try text("\(folder)/sample.yaml")
            #expect(registry.entries.contains { $0.sample == sample }, "\(folder)")
        }
    }

    // MARK: The same destination twice

    private func problems(_ text: String, _ registry: PluginRegistry) -> [String] {
        do throws(ConfigurationError) {
            _ = try Plan.read(text: text, named: "a.yaml", registry: registry, environment: [:])
            return []
        } catch {
            return error.problems.map(\.message)
        }
    }

    /// A sample with a second instance of its sink, which has another name and the same options.
    private func doubled(_ entry: PluginRegistry.Entry) throws -> String {
        var lines = entry.sample.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex { $0 == "  \(entry.name):" }, "\(entry.name)")
        let options = lines[(start + 1)...].prefix { $0.isEmpty || $0.hasPrefix("   ") }
        lines.insert(contentsOf: ["  second:", "    type: \(entry.name)"] + options, at: start)
        return lines.joined(separator: "\n")
    }

    @Test func `a second instance of a sink with the same destination is refused`() throws {
        let registry = try PluginRegistry(BuiltInPlugins.all)
        for entry in registry.entries where entry.kind == .sink {
            let found = try problems(doubled(entry), registry)
            // Each instance keeps the records in its own memory.
            let count = entry.name == "memory" ? 0 : 1
            #expect(found.count { $0.hasSuffix("has the same destination as second") } == count, "\(entry.name)")
            #expect(found.count == count, "\(entry.name): \(found)")
        }
    }

    @Test(arguments: [("http", "url"), ("pinger", "endpoint")])
    func `two instances that send to one address are refused, although each has a spool of its own`(
        name: String, option: String
    ) throws {
        let registry = try PluginRegistry(BuiltInPlugins.all)
        func problems(_ first: String, _ second: String) -> [String] {
            self.problems(
                "plugins: { one: { type: \(name), \(first) }, two: { type: \(name), \(second) } }", registry)
        }
        let address = "\(option): \"http://a.example/x\""
        #expect(problems(address, "\(address), token: secret").count == 1)
        #expect(problems(address, "\(option): \"http://A.example/x\"").count == 1)
        #expect(problems(address, "\(option): \"http://a.example/y\"") == [])
        #expect(problems(address, "\(address), headers: { X-Scope-OrgID: harbour }") == [])
        if name == "pinger" { #expect(problems("\(address), device_id: boat", "\(address), device_id: tender") == []) }
    }
}
#endif
