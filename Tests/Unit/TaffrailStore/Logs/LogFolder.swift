#if Store
import Taffrail
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// Records that differ in their times and numbers.
enum LogLines {
    static func records(
        _ range: Range<Int>, level: Level = .info, device: String = "ferry", run: String = "00000000000000aa"
    ) -> [StoredRecord] {
        range.map { index in
            StoredRecord(
                time: Timestamp(nanoseconds: RecordPool.start + Int64(index) * 1_000_000_000), level: level,
                message: "line \(index)", logger: "net", device: device, run: run, sequence: UInt64(index + 1))
        }
    }
}

extension TemporaryDirectory {
    var logs: LogStore { LogStore.at(file("logs.sqlite")) }
    var logReader: LogStoreReader { get throws { try LogStoreReader(file("logs.sqlite")) } }

    /// The messages that a query finds, the oldest first.
    func messages(_ query: String = "") throws -> [String] {
        var request = RecordRequest(try LogSelection(parsing: query))
        (request.limit, request.isNewestFirst) = (10_000, false)
        return try logReader.records(request).records.map(\.message)
    }

    /// What SQLite's own command answers about the log store.
    func sql(_ text: String) throws -> String {
        let result = try Program.run([file("logs.sqlite"), text], of: "sqlite3")
        try #require(result.code == 0, "\(result.errors)")
        return result.output
    }

    /// Whether tables, index of words and counts agree.
    func expectSound() throws {
        #expect(
            try sql("PRAGMA integrity_check; INSERT INTO record_text(record_text, rank) VALUES('integrity-check', 1)")
                == "ok\n")
        #expect(
            try sql("SELECT sum(count) FROM tally WHERE span = 60") == sql("SELECT nullif(count(*), 0) FROM record"))
        // Hours and days are added up but for the newest ones.
        for (span, parts) in [(3_600, 60), (86_400, 24)] {
            let sums = """
                SELECT floor(slot / \(parts).0), level, logger, device, event, sum(count) FROM tally
                WHERE span = \(span / parts) AND floor(slot / \(parts).0) <
                    floor((SELECT value FROM meta WHERE key = 'hour') / \(span / 3_600).0) GROUP BY 1, 2, 3, 4, 5
                """
            let stored = "SELECT slot, level, logger, device, event, count FROM tally WHERE span = \(span)"
            for (left, right) in [(sums, stored), (stored, sums)] {
                let difference = try sql(
                    "SELECT count(*) FROM (SELECT * FROM (\(left)) EXCEPT SELECT * FROM (\(right)))")
                #expect(difference == "0\n", "\(span)")
            }
        }
        #expect(try sql("SELECT count(*) FROM tally WHERE count <= 0") == "0\n")
        let uses = "SELECT count(*) FROM record WHERE record.source = source.id"
        #expect(try sql("SELECT count(*) FROM source WHERE records <> (\(uses))") == "0\n")
        let groups = try sql(
            """
            SELECT count(*) FROM (SELECT 1 FROM record GROUP BY floor((id >> 20) / 60000.0), level, logger, device, event)
            """)
        #expect(try sql("SELECT count(*) FROM tally WHERE span = 60") == groups)
    }
}
#endif
