internal import Foundation
internal import Glibc
package import Taffrail

extension TemporaryDirectory {
    /// The rings left by runs.
    package var rings: [String] {
        ((try? Directory.entries(of: path + "/.taffrail")) ?? []).map(\.name).filter { $0.contains(".ring") }
    }

    /// The log's files, the rotated ones first, in their order.
    package var logs: [String] {
        names.filter { $0 != "app.log" && $0.hasSuffix(".log") } + names.filter { $0 == "app.log" }
    }

    /// All lines of all logs. A torn last line counts as a line, which no test expects.
    package var logLines: [Substring] {
        logs.flatMap { name in
            let parts = text(name).components(separatedBy: "\n").map { $0[...] }
            return parts.last?.isEmpty == true ? parts.dropLast() : parts[...]
        }
    }

    /// The number of complete lines in a file. In a debug build this takes a fraction of the time of `lines`.
    package func lineCount(_ name: String) -> Int {
        ((try? bytes(name)) ?? []).withUnsafeBytes { bytes in
            guard var next = bytes.baseAddress else { return 0 }
            let end = next + bytes.count
            var count = 0
            while let newline = memchr(next, 10, end - next) {
                count += 1
                next = UnsafeRawPointer(newline) + 1
            }
            return count
        }
    }

    /// The text of all logs. Each ends with a newline.
    package var logText: String {
        logs.map { text($0) }.filter { !$0.isEmpty }.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined()
    }

    /// The text after the level in those lines.
    package var messages: [String] {
        logLines.map { line in
            var rest = line
            for _ in 0..<2 {
                guard let end = rest.range(of: "] ")?.upperBound else { break }
                rest = rest[end...]
            }
            return String(rest)
        }
    }

    /// Closes a sink, and opens and closes it again until every rotated file is compressed: closing waits for
    /// compressions only for a limited time, which may be too short on a busy machine.
    package func closeCompressed(_ sink: FileSink) throws {
        try sink.close()
        // Closing waits two seconds for compressions, which on a busy machine take longer.
        for _ in 0..<1200 where names.contains(where: { $0.hasPrefix("app-") && !$0.hasSuffix(".gz") }) {
            try sink.open()
            try sink.close()
            poll(nil, 0, 50)
        }
    }
}
