import Foundation
import TaffrailTestSupport
import Testing

/// The steps that a reader follows from a log call to the file, as listed in `path-of-a-record.txt`.
@Suite struct PathOfARecordTests {
    /// A line of the list.
    private struct Line {
        enum Kind: String {
            case step = ""
            /// A step that other code calls.
            case entry = "*"
            /// A file that is used for another event.
            case aside = "-"
        }

        let kind: Kind
        /// The step's declaration; the file of an aside.
        let first: String
        /// The step's file; the event of an aside.
        let second: String
    }

    private static func lines() throws -> [Line] {
        let list = Repository.root.appending(path: "Tests/Contract/Shape/path-of-a-record.txt")
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { line in
                let kind = Line.Kind(rawValue: String(line.prefix(while: { "*-".contains($0) }))) ?? .step
                let parts = line.dropFirst(kind.rawValue.count).split(separator: "|", maxSplits: 1)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                try #require(parts.count == 2, "\(line)")
                return Line(kind: kind, first: parts[0], second: parts[1])
            }
    }

    private static func core() throws -> [String: SwiftFile] {
        let folder = "Sources/Taffrail/"
        return Dictionary(
            uniqueKeysWithValues: try SwiftFile.all(in: "Sources/Taffrail").map {
                (String($0.path.dropFirst(folder.count)), $0)
            })
    }

    private static func step(_ line: Line, in core: [String: SwiftFile]) throws -> PathStep {
        let file = try #require(core[line.second], "\(line.second) does not exist")
        return try #require(PathStep(line.first, in: file, file: line.second), "\(line.first) is not in \(line.second)")
    }

    @Test func `each step is called by one that led to it`() throws {
        let core = try Self.core()
        var trail: [PathStep] = []
        var entries: [String] = []
        for line in try Self.lines() where line.kind != .aside {
            let step = try Self.step(line, in: core)
            if line.kind == .entry {
                entries.append(step.name)
            } else {
                while let last = trail.last, !last.calls(step) { trail.removeLast() }
                try #require(!trail.isEmpty, "nothing that led to \(line.first) in \(line.second) calls it")
            }
            trail.append(step)
        }
        #expect(entries == ["info(", "appendLiteral(", "run("])
    }

    @Test func `a step calls nothing in a file that is not listed`() throws {
        let core = try Self.core()
        let lines = try Self.lines()
        let steps = try lines.filter { $0.kind != .aside }.map { try Self.step($0, in: core) }
        let asides = Set(lines.filter { $0.kind == .aside }.map(\.first))
        let listed = asides.union(steps.map(\.file))
        #expect(asides.isDisjoint(with: steps.map(\.file)))
        var homes: [String: Set<String>] = [:]
        for (path, file) in core {
            let lines = file.code.split(separator: "\n")
            for name in file.types + PathStep.functions(in: lines, hasPrivate: false) {
                homes[name, default: []].insert(path)
            }
        }
        var needed: Set<String> = []
        for step in steps {
            let own = core[step.file].map { PathStep.functions(in: $0.code.split(separator: "\n")) } ?? []
            for name in step.calls.subtracting(own).sorted() {
                guard let home = homes[name] else { continue }
                if home.isDisjoint(with: listed) {
                    Issue.record(
                        "\(step.name) in \(step.file) calls \(name) of \(home.sorted().joined(separator: ", "))")
                }
                needed.formUnion(home)
            }
        }
        for file in asides.subtracting(needed).sorted() { Issue.record("no step needs \(file): take it off the list") }
    }

    @Test func `the path has no more files and changes of folder than before`() throws {
        let steps = try Self.lines().filter { $0.kind != .aside }
        let folders = steps.map { $0.second.prefix { $0 != "/" } }.filter { $0 != "System" }
        let changes = zip(folders, folders.dropFirst()).count { $0 != $1 }
        #expect(steps.count > 40)
        #expect(Set(steps.map(\.second)).count <= 42)
        #expect(changes <= 14)
    }

    @Test func `a call of another function is not taken for one`() throws {
        let source = SwiftFile(
            path: "Pier.swift",
            text: """
                struct Pier {
                    init(_ length: Int) { cast(off: length) }
                    private func moor(_ line: Rope) {
                        // Not strike().
                        if line.isWet { print("lower()") }
                        _ = Pier(2)
                        hoist(
                            line: line)
                    }
                    var isLit: Bool { true }
                }
                struct Rope {
                    func `is`(_ other: Rope) -> Bool { hoist(other) }
                    func hoist(_ line: Rope) -> Bool { isLit && Quay.isOpen }
                    func hoist<R>(line: R) {}
                }
                """)
        func step(_ declaration: String) throws -> PathStep {
            try #require(PathStep(declaration, in: source, file: "Pier.swift"))
        }
        let moor = try step("func moor(")
        let hoist = try step("func hoist(_ line")
        #expect(moor.calls == ["print(", "Pier", "hoist(line"])
        #expect(try moor.calls(step("init(_ length")) && moor.calls(step("struct Rope")))
        #expect(try moor.calls(step("func hoist<R>(line")) && !moor.calls(hoist))
        #expect(try !moor.calls(step("var isLit")) && !moor.calls(moor))
        #expect(try step("func `is`(").calls(hoist) && !hoist.calls(step("func `is`(")))
        #expect(try hoist.calls == ["Quay"] && hoist.calls(step("var isLit")) && step("struct Rope").calls.isEmpty)
        #expect(try step("init(_ length").calls == ["cast(off"])
        #expect(PathStep("func strike(", in: source, file: "Pier.swift") == nil)
        let lines = source.code.split(separator: "\n")
        #expect(PathStep.functions(in: lines) == ["moor(", "is(", "hoist(", "hoist(line"])
        #expect(PathStep.functions(in: lines, hasPrivate: false) == ["is(", "hoist(", "hoist(line"])
    }
}
