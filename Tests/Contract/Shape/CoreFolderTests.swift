import Testing

/// The folders of the core are layers: each uses only the types of the folders below it, and the members that these add
/// to types.
@Suite struct CoreFolderTests {
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

    /// Uses of types from a folder that is not below the using one.
    private static func typesFromAbove(in uses: FolderUses) -> [FolderUses.Arrow: Set<String>] {
        uses.types.filter { !reach(of: $0.key.from).contains($0.key.to) }
    }

    /// Uses of members from a folder that is not below the using one.
    private static func membersFromAbove(in uses: FolderUses) -> [FolderUses.Arrow: Set<String>] {
        uses.members(outside: reach)
    }

    @Test func `the core's folders use only those below them`() throws {
        let uses = try FolderUses(in: "Sources/Taffrail")
        #expect(Set(uses.folders.keys) == Set(Self.below.keys))
        #expect(uses.homes.count > 150)
        for (arrow, types) in Self.typesFromAbove(in: uses) {
            Issue.record("\(arrow): \(types.sorted().joined(separator: ", "))")
        }
    }

    @Test func `the core's folders use only members that those below them add to types`() throws {
        var known = Set(Self.upward.keys)
        for (arrow, members) in Self.membersFromAbove(in: try FolderUses(in: "Sources/Taffrail")) {
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
        let uses = FolderUses(folders)
        let arrow = FolderUses.Arrow("Queue", "Writer")
        #expect(Self.typesFromAbove(in: uses) == [arrow: ["Sail"]])
        #expect(Self.membersFromAbove(in: uses) == [arrow: ["Int.hoist", "Level.flag"]])
    }
}
