@testable import Taffrail
@testable import TaffrailReading

/// The output of reading logs, within the tests' process.
struct TailOutput {
    private(set) var lines: [String] = []
    private(set) var problems: [String] = []

    /// Reads logs once.
    init(_ paths: [String], _ change: (inout LogTail.Options) -> Void = { _ in }) throws {
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

    /// Lines without the mark of what was in a ring.
    static func unmarked(_ lines: [String]) -> [Substring] {
        let mark = "taffrail.unrecovered=true"
        return lines.map { line in Substring(line.replacing(" " + mark, with: "").replacing(mark, with: "")) }
    }

    /// The text after the level.
    var messages: [String] { lines.map { String($0.split(separator: "] ", maxSplits: 2).last ?? "") } }
}

extension TemporaryDirectory {
    /// Writes records to a separate log, a second apart.
    func log(
        _ messages: [String], to name: String = "app.log", from start: Int64 = 1_767_623_400,
        format: FileOptions.Format = .text, rotate: RotationOptions = RotationOptions(keep: nil), level: Level = .info
    ) throws {
        let sink = try FileSink(FileOptions(path: file(name), rotate: rotate, format: format, time: .utc))
        for (number, message) in messages.enumerated() {
            try sink.write([message], at: (start + Int64(number)) * 1_000_000_000, level: level)
        }
        try sink.close()
    }
}
