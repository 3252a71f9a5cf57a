#if HTTP && Command && Configuration
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite(.mayBlock) struct SpoolCommandTests {
    private static let run = RingID(0xABCD)

    private static func part(_ numbers: ClosedRange<Int>) -> (buffer: [UInt8], records: [LogRecord]) {
        var buffer = RecordBuffer(run: run)
        let records = numbers.map { number in
            LogRecord(
                timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000), sequence: UInt64(number), run: run,
                level: .info, message: "record \(number)")
        }
        for record in records { buffer.append(record) }
        return (buffer.bytes, records)
    }

    /// A configuration with a spool of ten records and a dead letter.
    private static func prepared(
        url: String = "http://127.0.0.1:9/"
    ) throws -> (folder: TemporaryDirectory, spool: String) {
        let folder = TemporaryDirectory()
        let directory = folder.file("spool")
        let spool = Spool(SpoolOptions(directory: directory))
        var buffer = RecordBuffer(run: run)
        for record in part(1...10).records { buffer.append(record) }
        try spool.open()
        try buffer.withBatch { batch throws(SinkError) in try spool.append(batch) }
        spool.close()
        var letter = SpoolBatch()
        letter.run = run
        letter.bytes = part(11...11).buffer
        #expect(
            try DeadLetters.append(
                [letter], reason: "returned 400: bad", time: 1_767_623_400_000_000_000, in: directory)
        )
        try folder.write(
            """
            plugins:
              file: { path: \(folder.file("app.log")) }
              http: { url: "\(url)", encoding: ndjson, drain: 30s, spool: { directory: \(directory) } }
            """, to: "taffrail.yaml")
        return (folder, directory)
    }

    private static func spool(_ arguments: String..., in folder: TemporaryDirectory) throws -> (
        code: CInt, output: String, errors: String
    ) {
        try Program.run(["spool"] + arguments + ["--config", folder.file("taffrail.yaml")])
    }

    @Test func `what waits is counted, shown and exported`() throws {
        let (folder, directory) = try Self.prepared()
        let list = try Self.spool("list", in: folder)
        #expect(list.code == 0, "\(list.errors)")
        for part in ["http\n", directory, "10 records", "dead letters  1"] { #expect(list.output.contains(part)) }
        let shown = try Self.spool("show", "--limit", "3", in: folder)
        #expect(shown.output.split(separator: "\n").count == 3 && shown.output.contains(#""message":"record 1""#))
        let exported = try Self.spool("export", in: folder)
        let numbers = exported.output.split(separator: "\n").compactMap { line in
            ((try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any])?["seq"] as? Int
        }
        #expect(numbers == Array(1...10))
        let dead = try Self.spool("show", "--dead", in: folder)
        let lines = dead.output.split(separator: "\n")
        try #require(lines.count == 2, "\(dead)")
        #expect(lines[0].hasPrefix("# ") && lines[0].hasSuffix("returned 400: bad"), "\(dead)")
        #expect(lines[1].contains(#""message":"record 11""#), "\(dead)")
        // Nothing has changed.
        #expect(try SpoolInspection(directory).summary().records == 10)
    }

    @Test func `dead letters are sent again by the next run`() throws {
        let server = try FaultServer()
        let (folder, directory) = try Self.prepared(url: server.url)
        let retried = try Self.spool("retry", in: folder)
        #expect(retried.code == 0 && retried.output == "http: 1 dead letter will be sent again\n")
        #expect(try DeadLetters.read(DeadLetters.againPath(in: directory)).count == 1)
        #expect(try Self.spool("retry", in: folder).output == "http: 0 dead letters will be sent again\n")
        let log = try Program.run(["log", "info", "one more", "--config", folder.file("taffrail.yaml")])
        #expect(log.code == 0, "\(log.errors)")
        let numbers = server.requests.flatMap(\.lines).compactMap { $0["seq"] as? Int }
        #expect(numbers.filter { $0 == 11 }.count == 1 && numbers.starts(with: 1...10), "\(numbers)")
        #expect(!FileName.exists(DeadLetters.againPath(in: directory)))
    }

    @Test func `what waits is deleted when that is confirmed, and no program sends`() throws {
        let (folder, directory) = try Self.prepared()
        #expect(try Self.spool("drop", in: folder).code == 64)
        let other = Spool(SpoolOptions(directory: directory))
        try other.open()
        let busy = try Self.spool("drop", "--yes", in: folder)
        #expect(busy.code == 75 && busy.errors.contains("in use"))
        other.close()
        let dropped = try Self.spool("drop", "--yes", in: folder)
        #expect(dropped.code == 0 && dropped.output == "http: 10 records deleted\n", "\(dropped.errors)")
        // In the ledger of the log, where `taffrail status` looks.
        let entries = try LedgerFile(directory: folder.file(".taffrail")).entries()
        let drops = entries.compactMap { if case .drop(let drop)? = $0 { drop } else { nil } }
        #expect(drops.map(\.count) == [10] && drops.map(\.reason) == [.deleted] && drops.map(\.sink) == ["http"])
        #expect(try SpoolInspection(directory).summary().records == 0)
        #expect(try Self.spool("drop", "--dead", "--yes", in: folder).output == "http: 1 dead letter deleted\n")
    }

    @Test func `status shows what waits, and why`() throws {
        let (folder, _) = try Self.prepared()
        let file = folder.file("taffrail.yaml")
        let log = try Program.run(["log", "info", "one more", "--config", file])
        #expect(log.code == 0, "\(log.errors)")
        let status = try Program.run(["status", "--config", file])
        #expect(status.output.contains("plugin http: {"), "\(status.output)")
        #expect(status.output.contains("connection refused") && status.output.contains("\"waiting_bytes\":"))
        #expect(try Self.spool("list", in: folder).output.contains("11 records"))
    }

    @Test func `a configuration without a spool is an error`() throws {
        let folder = TemporaryDirectory()
        try folder.write("plugins: { file: { path: \(folder.file("app.log")) } }\n", to: "taffrail.yaml")
        let list = try Self.spool("list", in: folder)
        #expect(list.code == 66 && list.errors.contains("has no sink with a spool"))
        #expect(try Program.run(["spool", "list", "--directory", folder.file("no")]).code == 66)
    }
}
#endif
