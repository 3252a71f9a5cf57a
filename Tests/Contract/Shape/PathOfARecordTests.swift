import Foundation
import TaffrailTestSupport
import Testing

/// How far a reader has to go from a log call to the file; `path-of-a-record.txt` has the steps.
@Suite struct PathOfARecordTests {
    private struct Step {
        let declaration: String
        let file: String
        var folder: Substring { file.prefix { $0 != "/" } }
    }

    private static func steps() throws -> [Step] {
        let list = Repository.root.appending(path: "Tests/Contract/Shape/path-of-a-record.txt")
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { line in
                let parts = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                return Step(declaration: try #require(parts.first), file: try #require(parts.dropFirst().first))
            }
    }

    @Test func `every step is at its listed location`() throws {
        let steps = try Self.steps()
        #expect(steps.count > 40)
        for step in steps {
            let file = Repository.root.appending(path: "Sources/Taffrail/\(step.file)")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains(step.declaration), "\(step.declaration) is not in \(step.file)")
        }
    }

    @Test func `the path has no more files and changes of folder than before`() throws {
        let steps = try Self.steps()
        let folders = steps.map(\.folder).filter { $0 != "System" }
        let changes = zip(folders, folders.dropFirst()).count { $0 != $1 }
        #expect(Set(steps.map(\.file)).count <= 42)
        #expect(changes <= 14)
    }
}
