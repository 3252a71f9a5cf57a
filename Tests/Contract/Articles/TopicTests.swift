import Foundation
import TaffrailTestSupport
import Testing

/// The documentation of a library lists exactly its public types.
@Suite struct TopicTests {
    private static let manifest =
        (try? String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""

    /// The library products. Each has a catalogue, except for the plugins: the documentation of a plugin is the README in
    /// its folder, which `PluginFolderTests` checks.
    static let modules = matches(of: /\.library\(name: "(\w+)"/, in: manifest).sorted()

    private static func matches(of pattern: Regex<(Substring, Substring)>, in text: String) -> Set<String> {
        Set(text.matches(of: pattern).map { String($0.1) })
    }

    @Test func `the manifest has libraries`() { #expect(Self.modules.count >= 18) }

    @Test(arguments: modules) func `the topics name every public type, and no other`(module: String) throws {
        let folder = Repository.root.appending(path: "Sources/\(module)")
        let page = try String(
            contentsOf: folder.appending(path: "Documentation.docc/\(module).md"), encoding: .utf8)
        let topics = try #require(page.components(separatedBy: "\n## Topics").last)
        let listed = Self.matches(of: /\n- ``(\w+)``/, in: topics)
        var types: Set<String> = []
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        for path in paths where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            let kinds = /\n(?:@[^\n ]+ )*public (?:final class|class|struct|enum|protocol|actor|typealias) (\w+)/
            types.formUnion(Self.matches(of: kinds, in: "\n" + text))
        }
        #expect(types.subtracting(listed).sorted() == [], "missing")
        #expect(listed.subtracting(types).sorted() == [], "of no public type")
    }

    @Test func `documentation is built for every library`() throws {
        let root = Repository.root
        let index = try String(contentsOf: root.appending(path: ".spi.yml"), encoding: .utf8)
        let plugins = Self.matches(of: /\nplugin\(\s*"\w+\/(\w+)"/, in: Self.manifest).map { "Taffrail\($0)" }
        #expect(plugins.count >= 10)
        #expect(Self.matches(of: /- (Taffrail\w*)/, in: index) == Set(Self.modules).union(plugins))
    }
}
