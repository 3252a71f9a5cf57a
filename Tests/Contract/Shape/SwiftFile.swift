import Foundation
import TaffrailTestSupport

/// A file of the sources, as far as its text shows what it declares.
struct SwiftFile {
    /// Its path in the repository.
    let path: String
    let text: String
    /// The text without comments.
    let code: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
        code = text.replacing(/\/\/.*/, with: "")
    }

    /// The files in some folders of the repository, and in folders there; without generated ones.
    static func all(in folders: String...) throws -> [SwiftFile] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Repository.root.appending(path: folder).path).sorted()
                .filter { $0.hasSuffix(".swift") && !$0.hasSuffix(".pb.swift") }
                .map { path in
                    let file = Repository.root.appending(path: "\(folder)/\(path)")
                    return SwiftFile(path: "\(folder)/\(path)", text: try String(contentsOf: file, encoding: .utf8))
                }
        }
    }

    /// The names of the types at its top level, but for private ones.
    var types: [String] {
        let declaration =
            /(?:@[\w()]+ )*(?:(?:public|package|internal|private|fileprivate|final|indirect) )*(?:struct|class|enum|protocol|typealias|actor) (\w+)/
        return code.split(separator: "\n").compactMap { line in
            guard !line.contains("private "), let match = line.prefixMatch(of: declaration) else { return nil }
            return String(match.1)
        }
    }

    /// The modules that it imports.
    var imports: [String] {
        let declaration = /(?:@testable )?(?:(?:public|package|internal) )?import (\w+)/
        return code.split(separator: "\n").compactMap { line in line.wholeMatch(of: declaration).map { String($0.1) } }
    }

    /// A member of an extension.
    struct Member: Hashable {
        /// The outermost type that is extended.
        let type: String
        let name: String
    }

    /// The functions and properties in extensions at its top level, but for private ones.
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

    /// The words of the code outside strings of one line.
    var words: Set<Substring> {
        let string = /"(?:\\.|[^"\\])*"/
        return code.split(separator: "\n").reduce(into: []) { words, line in
            let line = line.contains("\"") ? line.replacing(string, with: "") : line
            words.formUnion(line.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
        }
    }

    /// The names that it declares or has as labels, anywhere.
    var declaredNames: Set<Substring> {
        var names = Set(
            code.matches(of: /\b(?:func|var|let|for|case|enum|struct|class|typealias|protocol) `?(\w+)/).map { $0.1 })
        names.formUnion(code.matches(of: /(\w+):/).map { $0.1 })
        for line in code.split(separator: "\n") {
            guard let cases = line.firstMatch(of: /^ *(?:indirect )?case ([^{]*)/) else { continue }
            names.formUnion(cases.1.matches(of: /\w+/).map { $0.output })
        }
        return names
    }
}
