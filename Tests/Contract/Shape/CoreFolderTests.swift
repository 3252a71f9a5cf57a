import Foundation
import TaffrailTestSupport
import Testing

/// The folders of the core are layers: each uses only the types of the folders below it, and the members that these add
/// to types.
@Suite struct CoreFolderTests {
    /// A folder that uses a declaration of another one.
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

    /// Members that an upper folder adds and a lower one uses, with the reason.
    private static let upward: [String: String] = [
        "LoggerState.shared": "the pipeline of Logger.shared is made by its first use, and no one else can make it"
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

    /// The files of each folder.
    private static func folders() throws -> [String: [SwiftFile]] {
        Dictionary(grouping: try SwiftFile.all(in: "Sources/Taffrail")) { file in
            String(file.path.split(separator: "/")[2])
        }
    }

    /// The folder of each type.
    private static func homes(in folders: [String: [SwiftFile]]) -> [String: String] {
        var homes: [String: String] = [:]
        for (folder, files) in folders {
            for type in files.flatMap(\.types) { homes[type] = folder }
        }
        return homes
    }

    /// The names in a file that may be types of the module.
    private static func mentioned(in file: SwiftFile) -> Set<String> {
        // A name after a dot belongs to another type.
        Set(file.code.matches(of: /(^|[^.\w])([A-Z]\w*)/).map { String($0.2) })
    }

    /// Uses of types from a folder that is not below the using one.
    private static func typesFromAbove(in folders: [String: [SwiftFile]]) -> [Arrow: Set<String>] {
        let homes = homes(in: folders)
        var wrong: [Arrow: Set<String>] = [:]
        for (folder, files) in folders {
            let reach = Self.reach(of: folder)
            for type in files.flatMap(Self.mentioned) {
                guard let home = homes[type], home != folder, !reach.contains(home) else { continue }
                wrong[Arrow(folder, home), default: []].insert(type)
            }
        }
        return wrong
    }

    /// Uses of members that a folder not below the using one adds to a type from elsewhere: as `Type.member`, or by the
    /// name alone, if the using folder and the folders below it declare nothing with this name.
    private static func membersFromAbove(in folders: [String: [SwiftFile]]) -> [Arrow: Set<String>] {
        let homes = homes(in: folders)
        var added: [SwiftFile.Member: Set<String>] = [:]
        for (folder, files) in folders {
            for member in files.flatMap(\.extensionMembers) where homes[member.type] != folder {
                added[member, default: []].insert(folder)
            }
        }
        let declared = folders.mapValues { $0.reduce(into: Set<Substring>()) { $0.formUnion($1.declaredNames) } }
        let words = folders.mapValues { $0.reduce(into: Set<Substring>()) { $0.formUnion($1.words) } }
        let code = folders.mapValues { $0.map(\.code).joined(separator: "\n") }
        var wrong: [Arrow: Set<String>] = [:]
        for (member, owners) in added {
            for folder in folders.keys {
                let reach = Self.reach(of: folder).union([folder])
                guard owners.isDisjoint(with: reach), let owner = owners.first else { continue }
                let name = member.name[...]
                let isDistinct = !reach.contains { declared[$0]?.contains(name) == true }
                let qualified = "\(member.type).\(name)"
                let isQualified = code[folder]?.contains(qualified) == true && words[folder]?.contains(name) == true
                if isQualified || isDistinct && words[folder]?.contains(name) == true {
                    wrong[Arrow(folder, owner), default: []].insert(qualified)
                }
            }
        }
        return wrong
    }

    @Test func `the core's folders use only those below them`() throws {
        let folders = try Self.folders()
        #expect(Set(folders.keys) == Set(Self.below.keys))
        #expect(Self.homes(in: folders).count > 150)
        for (arrow, types) in Self.typesFromAbove(in: folders) {
            Issue.record("\(arrow): \(types.sorted().joined(separator: ", "))")
        }
    }

    @Test func `the core's folders use only members that those below them add to types`() throws {
        var known = Set(Self.upward.keys)
        for (arrow, members) in Self.membersFromAbove(in: try Self.folders()) {
            let wrong = members.subtracting(Self.upward.keys)
            if !wrong.isEmpty { Issue.record("\(arrow): \(wrong.sorted().joined(separator: ", "))") }
            known.subtract(members)
        }
        #expect(known == [], "nothing uses them: take them off the list")
    }

    @Test func `a type and a member from above are found`() {
        func file(_ folder: String, _ text: String) -> SwiftFile { SwiftFile(path: "\(folder)/A.swift", text: text) }
        let folders = [
            "Queue": [
                file(
                    "Queue",
                    """
                    struct Ring {
                        let sailor = Sail()
                        func run() { hoist(ring: self); Level.flag() }
                        // Not in a comment: lower(), and not in a "string of reef".
                        let text = "lower"
                        func reef() {}
                    }
                    """)
            ],
            "Record": [file("Record", "enum Level {\n    case one\n}")],
            "Writer": [
                file(
                    "Writer",
                    """
                    struct Sail {}
                    extension Ring {
                        func lower() {}
                        private func strike() {}
                        func reef() {}
                    }
                    extension Int {
                        func hoist(ring: Ring) {}
                    }
                    extension Level {
                        static func flag() {}
                    }
                    """)
            ],
        ]
        let arrow = Arrow("Queue", "Writer")
        #expect(Self.typesFromAbove(in: folders) == [arrow: ["Sail"]])
        #expect(Self.membersFromAbove(in: folders) == [arrow: ["Int.hoist", "Level.flag"]])
    }
}
