import CSVLog
import Glibc
import Taffrail
import TaffrailTesting
import Testing

/// The file, read back by a separate parser.
private final class CSVSubject: SinkSubject {
    private let directory: String
    private var path: String { directory + "/log.csv" }

    init() throws {
        var template = Array("/tmp/csv-log-XXXXXX".utf8CString)
        directory = String(cString: try #require(mkdtemp(&template)))
    }

    deinit {
        unlink(path)
        rmdir(directory)
    }

    var keeps: RecordParts { [.message, .level, .timestamp, .logger] }

    func makeSink() throws -> any Sink { CSVSink(CSVOptions(path: path)) }

    func records() throws -> [LogRecord] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return try rows(String(decoding: bytes, as: UTF8.self)).map { columns in
            LogRecord(
                timestamp: Timestamp(nanoseconds: try #require(Int64(columns[0]))),
                level: try #require(Level(name: columns[1])), message: columns[3], logger: columns[2])
        }
    }

    private func rows(_ text: String) -> [[String]] {
        var rows: [[String]] = []
        var row = [""]
        var isQuoted = false
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"" where isQuoted && rest.first == "\"":
                rest.removeFirst()
                row[row.count - 1].unicodeScalars.append("\"")
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: row.append("")
            case "\r" where !isQuoted:
                rest.removeFirst()
                rows.append(row)
                row = [""]
            default: row[row.count - 1].unicodeScalars.append(scalar)
            }
        }
        return rows
    }
}

@Suite struct CSVSinkTests {
    @Test(arguments: SinkRule.all) func `the CSV sink keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(CSVSubject())
    }
}
