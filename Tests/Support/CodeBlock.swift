internal import Foundation

/// A code block of a page of the documentation.
package struct CodeBlock: Sendable, CustomStringConvertible {
    /// The page's path in the repository.
    package let page: String
    /// The number of the block on the page, from 1.
    package let number: Int
    /// The language of the fence.
    package let language: String
    package let text: String

    package var description: String { "\(page), block \(number)" }

    /// The lines without indentation, without empty ones.
    package var lines: [String] { Self.lines(of: text) }

    package static func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// All pages of the repository.
    package static let pages: [String] = {
        let found = ["Sources", "Plugins", "Examples", "Tests"].flatMap { folder in
            let path = Repository.root.appending(path: folder).path
            return ((try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []).map { "\(folder)/\($0)" }
        }
        return ["README.md", "CONTRIBUTING.md"]
            + found.filter { $0.hasSuffix(".md") && !$0.contains("/.build") }.sorted()
    }()

    /// The blocks of all pages.
    package static let all: [CodeBlock] = pages.flatMap { page in
        let text = (try? String(contentsOf: Repository.root.appending(path: page), encoding: .utf8)) ?? ""
        // A fence opens each odd part and closes each even one.
        let parts = text.components(separatedBy: "\n```")
        return stride(from: 1, to: parts.count, by: 2).map { index in
            let part = parts[index].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return CodeBlock(
                page: page, number: index / 2 + 1, language: String(part[0]),
                text: part.count > 1 ? String(part[1]) : "")
        }
    }
}
