internal import Foundation
internal import Taffrail
package import TaffrailReading

/// The output of reading logs within the tests' process.
package struct TailOutput {
    package private(set) var lines: [String] = []
    package private(set) var problems: [String] = []

    /// Reads logs once.
    package init(_ paths: [String], _ change: (inout LogTail.Options) -> Void = { _ in }) throws {
        var options = LogTail.Options()
        change(&options)
        var problems: [String] = []
        var bytes: [UInt8] = []
        let tail = try LogTail(paths: paths, options) { problems.append($0) }
        tail.run(descriptor: -1) { part in
            bytes += part
            return true
        }
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        self.problems = problems
    }

    /// Lines without the mark of records from a ring.
    package static func unmarked(_ text: String) -> String {
        text.replacingOccurrences(of: " taffrail.unrecovered=true", with: "")
    }

    /// The text after the level.
    package var messages: [String] { lines.map { String($0.split(separator: "] ", maxSplits: 2).last ?? "") } }
}
