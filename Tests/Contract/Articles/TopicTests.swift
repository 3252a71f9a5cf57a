import Foundation
import TaffrailTestSupport
import Testing

/// The documentation of a library lists exactly its public types.
@Suite struct TopicTests {
    /// The libraries that have a catalogue. DocC lists the types of the others by kind.
    static let modules: [String] = {
        let sources = Repository.root.appending(path: "Sources")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []
        return names.filter { name in
            let page = sources.appending(path: "\(name)/Documentation.docc/\(name).md")
            return FileManager.default.fileExists(atPath: page.path)
        }.sorted()
    }()

    private static func matches(of pattern: Regex<(Substring, Substring)>, in text: String) -> Set<String> {
        Set(text.matches(of: pattern).map { String($0.1) })
    }

    @Test func `libraries have catalogues`() { #expect(Self.modules.count >= 5) }

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
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let index = try String(contentsOf: root.appending(path: ".spi.yml"), encoding: .utf8)
        let libraries = Self.matches(of: /\.library\(name: "(\w+)"/, in: manifest)
        let plugins = Self.matches(of: /\nplugin\(\s*"\w+\/(\w+)"/, in: manifest).map { "Taffrail\($0)" }
        #expect(libraries.count >= 12 && plugins.count >= 10)
        #expect(Self.matches(of: /- (Taffrail\w*)/, in: index) == libraries.union(plugins))
    }
}
