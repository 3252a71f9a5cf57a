import Foundation
import Taffrail
import TaffrailTestSupport

/// A source file, and the declarations that can be found in its text.
struct SwiftFile {
    /// The path in the repository.
    let path: String
    let text: String
    /// The text without comments.
    let code: String
    /// The lines of the code.
    let lines: [Substring]

    /// The cache of files that have been read, by their paths.
    private static let known = Locked<[String: SwiftFile]>([:])

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.components(separatedBy: "\n").map { line in
            line.range(of: "//").map { line[..<$0.lowerBound] } ?? line[...]
        }
        code = lines.joined(separator: "\n")
    }

    /// The files in some folders of the repository, and in folders there; without generated ones.
    static func all(in folders: String...) throws -> [SwiftFile] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Repository.root.appending(path: folder).path).sorted()
                .filter { $0.hasSuffix(".swift") && !$0.hasSuffix(".pb.swift") }
                .map { try file(at: "\(folder)/\($0)") }
        }
    }

    private static func file(at path: String) throws -> SwiftFile {
        if let file = known.withLock({ $0[path] }) { return file }
        let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
        let file = SwiftFile(path: path, text: text)
        known.withLock { $0[path] = file }
        return file
    }

    /// The lines of declarations at its top level.
    private var topLines: [Substring] { lines.filter { $0.utf8.first.map { $0 != UInt8(ascii: " ") } ?? false } }

    /// The names of the types at its top level, except private ones.
    var types: [String] {
        let declaration =
            /(?:@[\w()]+ )*(?:(?:public|package|internal|private|fileprivate|final|indirect) )*(?:struct|class|enum|protocol|typealias|actor) (\w+)/
        return topLines.compactMap { line in
            guard !line.contains("private "), let match = line.prefixMatch(of: declaration) else { return nil }
            return String(match.1)
        }
    }

    /// The modules that it imports.
    var imports: [String] {
        let declaration = /(?:@testable )?(?:(?:public|package|internal) )?import (\w+)/
        return topLines.compactMap { line in line.wholeMatch(of: declaration).map { String($0.1) } }
    }

    /// A member of an extension.
    struct Member: Hashable {
        /// The outermost type that is extended.
        let type: String
        let name: String
    }

    /// The functions and properties in extensions at its top level, except private ones.
    var extensionMembers: [Member] {
        let head = /(?:(?:public|package) )?extension `?(\w+)/
        let member =
            #/    (?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|internal|static|mutating|nonmutating|final|class|convenience|nonisolated(?:\(\w+\))?|private\(set\)) )*(?:func|var|let) `?(\w+)/#
        var type: String?
        return code.split(separator: "\n").compactMap { line in
            if let match = line.prefixMatch(of: head) { type = String(match.1) }
            if line == "}" { type = nil }
            guard let type, let match = line.prefixMatch(of: member) else { return nil }
            return Member(type: type, name: String(match.1))
        }
    }

    private static func words(in text: Substring) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    }

    /// The names that it declares or has as labels, anywhere.
    var declaredNames: Set<Substring> {
        let keywords: Set<Substring> = [
            "func", "var", "let", "for", "case", "enum", "struct", "class", "typealias", "protocol",
        ]
        var names: Set<Substring> = []
        for line in lines {
            let words = Self.words(in: line)
            for (word, next) in zip(words, words.dropFirst()) where keywords.contains(word) {
                if [" ", " `"].contains(line[word.endIndex..<next.startIndex]) { names.insert(next) }
            }
            names.formUnion(words.filter { line[$0.endIndex...].first == ":" })
            if words.first == "case" || words.starts(with: ["indirect", "case"]) {
                names.formUnion(Self.words(in: line.prefix { $0 != "{" }))
            }
        }
        return names
    }
}
