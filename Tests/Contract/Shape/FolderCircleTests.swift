import Testing

/// The folders of a target are layers: none of them is above itself.
@Suite struct FolderCircleTests {
    /// The targets with folders, except the core, whose folders have an order of their own: see ``CoreFolderTests``.
    private static func targets() throws -> [(path: String, uses: FolderUses)] {
        let sources = try SwiftFile.all(in: "Sources").map { $0.path.split(separator: "/").prefix(2) }
        let plugins = try SwiftFile.all(in: "Plugins").map { $0.path.split(separator: "/").prefix(3) }
        return try Set((sources + plugins).map { $0.joined(separator: "/") }).subtracting(["Sources/Taffrail"]).sorted()
            .map { ($0, try FolderUses(in: $0)) }
            .filter { $0.uses.folders.count > 1 }
    }

    @Test func `no folders of a target use one another`() throws {
        let targets = try Self.targets()
        #expect(targets.count > 10)
        for (path, uses) in targets {
            for (arrow, names) in uses.circles.sorted(by: { "\($0.key)" < "\($1.key)" }) {
                Issue.record("\(path): \(arrow): \(names.sorted().joined(separator: ", "))")
            }
        }
    }

    private func uses(_ texts: [String: String], imported: Set<Substring> = []) -> FolderUses {
        FolderUses(
            texts.reduce(into: [:]) { $0[$1.key] = [SwiftFile(path: "\($1.key)/A.swift", text: $1.value)] },
            imported: imported)
    }

    @Test func `a circle of types is found`() {
        let circle = uses([
            "Hull": "struct Plank {\n    var nail: Nail\n}",
            "Deck": "final class Nail {}\nstruct Mast {\n    let plank = Plank()\n}",
            "Rig": "struct Sail {\n    var mast: Mast?\n}",
        ])
        #expect(
            circle.circles == [.init("Hull", "Deck"): ["Nail"], .init("Deck", "Hull"): ["Plank"]])
    }

    @Test func `a circle of three folders is found, and those that only use it are not part of it`() {
        let circle = uses([
            ".": "let plank: Plank", "Hull": "struct Plank {\n    var sail: Sail\n}",
            "Deck": "enum Mast {\n    case of(Plank)\n}", "Deck/Rig": "struct Sail {\n    var mast: Mast\n}",
        ])
        #expect(
            circle.circles == [
                .init("Hull", "Deck/Rig"): ["Sail"], .init("Deck/Rig", "Deck"): ["Mast"],
                .init("Deck", "Hull"): ["Plank"],
            ])
    }

    @Test func `a member that an upper folder adds closes a circle`() {
        func hull(_ lines: String, imported: Set<Substring> = []) -> FolderUses {
            let deck = """
                extension Plank {
                    static var tar: Int { 1 }
                    func caulk() {}
                }
                struct Mast {
                    var plank: Plank
                }
                """
            return uses(["Hull": "struct Plank {\n    \(lines)\n}", "Deck": deck], imported: imported)
        }
        let up = FolderUses.Arrow("Hull", "Deck")
        let down = FolderUses.Arrow("Deck", "Hull")
        #expect(hull("func lay() { caulk() }").circles == [up: ["Plank.caulk"], down: ["Plank"]])
        #expect(hull("let tar = Plank.tar").circles == [up: ["Plank.tar"], down: ["Plank"]])
        // They may be the folder's own.
        #expect(hull("func lay() { caulk(1) }\n    func caulk(_ seam: Int) {}").circles == [:])
        #expect(hull("let tar = 1\n    var more: Int { tar }").circles == [:])
        // They may be those of an imported module.
        #expect(hull("func lay() { caulk() }", imported: ["caulk"]).circles == [:])
        #expect(hull("let tar = Plank.tar", imported: ["tar"]).circles == [up: ["Plank.tar"], down: ["Plank"]])
    }

    @Test func `names in comments, in strings and of members are no uses`() {
        let deck = "struct Mast {\n    var plank: Plank\n}\nstruct Boom {}"
        func found(_ line: String) -> Set<String> {
            uses(["Hull": "struct Plank {\n    \(line)\n}", "Deck": deck]).circles[.init("Hull", "Deck")] ?? []
        }
        let quotes = "\"\"\""
        for line in [
            #"// Mast"#, #"let text = "Mast""#, #"let text = "\"Mast\(1)Mast""#, #"var kind: Ship.Mast"#,
            "let lines = \(quotes)\n        \"Mast\" \\(\"Mast\")\n        \(quotes)",
            "let pattern = /\"/\n    let text = \"Mast\"",
        ] {
            #expect(found(line) == [], "\(line)")
        }
        for line in [
            #"let text = "\(Mast.self)""#, #"let text = "\(f("Boom", (Mast.self)))""#, #"var mast: [Mast?]"#,
            "let lines = \(quotes)\n        \\(Mast.self)\n        \(quotes)",
            "let pattern = /\"/\n    let mast = Mast()",
        ] {
            #expect(found(line) == ["Mast"], "\(line)")
        }
    }
}
