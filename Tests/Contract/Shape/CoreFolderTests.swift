import Foundation
import TaffrailTestSupport
import Testing

/// The folders of the core are layers: each uses the types of those below it only.
@Suite struct CoreFolderTests {
    /// A folder that uses types of another one.
    private struct Arrow: Hashable, CustomStringConvertible {
        let from: String
        let to: String
        var description: String { "\(from) → \(to)" }

        init(_ from: String, _ to: String) {
            self.from = from
            self.to = to
        }
    }

    /// The folders directly below each folder. All may use `System`.
    private static let below: [String: Set<String>] = [
        "Plugins": ["Pipeline"], "Pipeline": ["Logging", "File"], "File": ["Writer", "Lines"],
        "Writer": ["Ledger", "Lines"],
        "Ledger": ["Queue"], "Logging": ["Queue"], "Queue": ["Record"], "Lines": ["Record"], "Record": ["System"],
        "System": [],
    ]

    /// All folders below a folder.
    private static func reach(of folder: String) -> Set<String> {
        var found: Set<String> = ["System"]
        var next = below[folder, default: []]
        while let one = next.popFirst() {
            guard found.insert(one).inserted else { continue }
            next.formUnion(below[one, default: []])
        }
        return found
    }

    /// The text of the files of each folder, without comments.
    private static func sources() throws -> [String: [String]] {
        let root = Repository.root.appending(path: "Sources/Taffrail")
        let manager = FileManager.default
        var sources: [String: [String]] = [:]
        for folder in try manager.contentsOfDirectory(atPath: root.path) {
            let path = root.appending(path: folder)
            for name in (try? manager.contentsOfDirectory(atPath: path.path)) ?? [] where name.hasSuffix(".swift") {
                let text = try String(contentsOf: path.appending(path: name), encoding: .utf8)
                sources[folder, default: []].append(text.replacing(/\/\/.*/, with: ""))
            }
        }
        return sources
    }

    /// The names of the types that a text declares at its top level, but for private ones.
    private static func declared(in text: String) -> Set<String> {
        let declaration = /(?:[@\w()]+ )*(?:struct|class|enum|protocol|typealias|actor) (\w+)/.anchorsMatchLineEndings()
        return Set(
            text.split(separator: "\n").compactMap { line in
                guard !line.contains("private "), let match = line.prefixMatch(of: declaration) else { return nil }
                return String(match.1)
            })
    }

    /// The names in a text that may be types of the module.
    private static func mentioned(in text: String) -> Set<String> {
        // A name after a dot belongs to another type.
        Set(text.matches(of: /(^|[^.\w])([A-Z]\w*)/).map { String($0.2) })
    }

    @Test func `the core's folders use only those below them`() throws {
        let sources = try Self.sources()
        #expect(Set(sources.keys) == Set(Self.below.keys))
        var homes: [String: String] = [:]
        for (folder, texts) in sources {
            for type in texts.flatMap(Self.declared) { homes[type] = folder }
        }
        #expect(homes.count > 150)
        var wrong: [Arrow: Set<String>] = [:]
        for (folder, texts) in sources {
            let reach = Self.reach(of: folder)
            for type in texts.flatMap(Self.mentioned) {
                guard let home = homes[type], home != folder, !reach.contains(home) else { continue }
                wrong[Arrow(folder, home), default: []].insert(type)
            }
        }
        for (arrow, types) in wrong {
            Issue.record("\(arrow): \(types.sorted().joined(separator: ", "))")
        }
    }
}
