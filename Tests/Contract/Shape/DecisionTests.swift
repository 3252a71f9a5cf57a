import Foundation
import TaffrailTestSupport
import Testing

/// The decision notes of the libraries, `Documentation.docc/Decisions/NNNN-NAME.md`.
@Suite struct DecisionTests {
    private static let mostLines = 40
    /// The maximum number of characters in a line outside of tables, because longer lines do not make a note shorter.
    private static let mostCharacters = 160

    /// The paths of the notes, below `Sources`.
    private static let notes: [String] = {
        let sources = Repository.root.appending(path: "Sources")
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: sources.path)) ?? []
        return paths.filter { $0.contains("/Documentation.docc/Decisions/") && $0.hasSuffix(".md") }.sorted()
    }()

    @Test func `the libraries have decision notes`() { #expect(Self.notes.count >= 30) }

    @Test(arguments: notes) func `a note is short, and its name has a number`(path: String) throws {
        let file = Repository.root.appending(path: "Sources/\(path)")
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last == "", "the last line has no newline")
        #expect(lines.count - 1 <= Self.mostLines, "\(path) has \(lines.count - 1) lines")
        for (index, line) in lines.enumerated() where !line.hasPrefix("|") {
            #expect(line.count <= Self.mostCharacters, "\(path):\(index + 1) has \(line.count) characters")
        }
        let name = try #require(file.lastPathComponent.wholeMatch(of: /(\d{4})-[a-z0-9-]+\.md/), "\(path)")
        let number = try #require(Int(name.1))
        #expect(lines[0].hasPrefix("# \(number). "), "\(path): \(lines[0])")
    }
}
