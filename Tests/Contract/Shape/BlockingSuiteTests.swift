import Foundation
import TaffrailTestSupport
import Testing

/// A test that blocks belongs to a suite with the trait ``BlockingTrait``: otherwise it delays all other tests.
@Suite(.mayBlock) struct BlockingSuiteTests {
    /// Calls that block their thread: until a program ends or prints, until a pipeline has written, for a time.
    private static var blocking: [(name: String, pattern: Regex<Substring>)] {
        [
            ("Program(", /\bProgram\(/), ("Program.run(", /\bProgram\.run\(/),
            ("Program.subject(", /\bProgram\.subject\(/),
            ("CommandRun", /\bCommandRun\b/), ("poll(nil", /\bpoll\(nil\b/), (".flush(", /\.flush\(/),
            (".shutdown(", /\.shutdown\(/), ("waited", /\bwaited(?: \{|\((?:seconds|until):)/),
        ]
    }

    /// Separate packages, tests that run on the main thread, which only they use, and a file that quotes such calls.
    private static let exempt = [
        "Benchmarks/", "Fuzz/", "Contract/MainActorClient/", "Contract/Shape/ProgramStartTests.swift",
    ]

    /// A declaration at the top level of a file, from its attributes to its closing brace.
    private struct Declaration {
        let name: String
        let head: String
        let body: [Substring]

        init?(_ lines: [Substring]) {
            let code = lines.map(\.withoutComment)
            guard let first = code.firstIndex(where: { $0.hasSuffix("{") && !$0.hasPrefix(" ") }) else { return nil }
            head = code[...first].joined(separator: "\n")
            body = Array(code[(first + 1)...])
            guard let name = head.matches(of: /\b(?:struct|class|extension|actor|enum) (\w+)/).last?.1 else {
                return nil
            }
            self.name = String(name)
        }

        var hasTests: Bool { body.contains { $0.contains("@Test") } }
        var mayBlock: Bool { head.contains(".mayBlock") || head.contains(".heavy") }
    }

    private static func declarations(in text: String) -> [Declaration] {
        text.split(separator: "\n").split { $0 == "}" }.compactMap { Declaration(Array($0)) }
    }

    /// The suites that block without the trait, each with the blocking call.
    private static func offenders(in files: [String: String]) -> [String] {
        let declarations = files.mapValues { Self.declarations(in: $0) }
        let blocking = Self.blocking
        let blockers = Set(declarations.values.joined().filter(\.mayBlock).map(\.name))
        return declarations.flatMap { file, found in
            found.filter { $0.hasTests && !blockers.contains($0.name) }.flatMap { suite in
                let body = suite.body.joined(separator: "\n")
                // The name is part of the pattern, and faster to find.
                return blocking.filter { body.contains($0.name) && body.contains($0.pattern) }.map { one in
                    "\(file): \(suite.name) uses \(one.name) without .mayBlock or .heavy"
                }
            }
        }.sorted()
    }

    private static func testFiles() throws -> [String: String] {
        let root = Repository.root.appending(path: "Tests")
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { name in
            name.hasSuffix(".swift") && !exempt.contains { name.hasPrefix($0) }
        }
        return try names.reduce(into: [:]) { files, name in
            files[name] = try String(contentsOf: root.appending(path: name), encoding: .utf8)
        }
    }

    @Test func `every suite that blocks has a trait for it`() throws {
        let files = try Self.testFiles()
        #expect(files.values.reduce(0) { $0 + Self.declarations(in: $1).count { $0.hasTests } } > 100)
        #expect(Self.offenders(in: files) == [])
    }

    @Test(arguments: [
        "_ = try Program([], in: folder)", "_ = try await Program.run([])", "_ = try Program.subject([])",
        "_ = try CommandRun([], in: folder)", "poll(nil, 0, 10)", "pipeline.flush()",
        "pipeline.shutdown(timeout: .seconds(1))", "#expect(waited { folder.text(\"a\") == \"b\" })",
        "guard waited(until: { isSo }) else { return }",
    ])
    func `a suite that blocks without the trait is found, also in an extension`(call: String) {
        func file(_ head: String, _ call: String) -> String {
            "import Testing\n\n\(head) {\n    @Test func `a test`() {\n        \(call)\n    }\n}\n"
        }
        func offenders(_ texts: String...) -> Int {
            Self.offenders(in: Dictionary(uniqueKeysWithValues: texts.enumerated().map { ("\($0.0)", $0.1) })).count
        }
        #expect(offenders(file("@Suite struct Some", call)) == 1)
        #expect(offenders(file("/// Not .mayBlock.\nstruct Some", call)) == 1)
        #expect(offenders(file("@Suite struct Some", "// \(call)")) == 0)
        #expect(offenders(file("@Suite(.mayBlock) struct Some", call)) == 0)
        #expect(offenders(file("@Suite(\n    .serialized, .heavy)\nstruct Some", call)) == 0)
        let suite = "@Suite(.mayBlock) struct Some {\n    let number = 1\n}\n"
        #expect(offenders(suite, file("extension Some", call)) == 0)
        #expect(offenders(suite.replacing("(.mayBlock)", with: ""), file("extension Some", call)) == 1)
    }
}

extension Substring {
    /// The text before `//`.
    fileprivate var withoutComment: Substring { range(of: "//").map { self[..<$0.lowerBound] } ?? self }
}
