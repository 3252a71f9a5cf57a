import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

@Suite(.mayBlock) struct LogVerifierTests {
    let directory = TemporaryDirectory()

    func prove() throws -> LogVerifier {
        LogVerifier(of: try #require(LogPath(ofLog: directory.file("app.log"))))
    }

    /// Writes numbered records of a run.
    func write(
        _ numbers: some Sequence<UInt64>, run: UInt64 = 5, format: FileOptions.Format = .text, size: ByteSize? = nil,
        isClosed: Bool = true
    ) throws -> FileSink {
        let sink = try FileSink(
            FileOptions(
                path: directory.file("app.log"), rotate: RotationOptions(size: size, keep: nil), format: format))
        var buffer = RecordBuffer(run: RingID(run))
        for number in numbers {
            buffer.append(
                LogRecord(
                    timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(number) * 1_000_000),
                    sequence: number, level: .info, message: "record \(number)"))
        }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
        if isClosed { try sink.close() }
        return sink
    }

    @Test(arguments: [FileOptions.Format.text, .json])
    func `a log with all its files is complete`(format: FileOptions.Format) throws {
        _ = try write(1...200, format: format, size: .kibibytes(2))
        #expect(directory.names.count > 3)
        try Gzip.compress(directory.file(try #require(directory.names.first { $0 != "app.log" })))
        let proof = try prove()
        #expect(proof.isComplete, "\(proof.report)")
        #expect(proof.report.first == "\(directory.file("app.log")): complete")
        #expect(proof.report.last?.contains("run 0000000000000005: 1 to 200, 200 lines in") == true, "\(proof.report)")
        // A stretch that is still being written is counted by its lines.
        let second = try write(1...10, run: 6, isClosed: false)
        #expect(try prove().isComplete)
        try second.close()
        #expect(try prove().report.count == 3)
    }

    @Test func `a run whose recovery was killed, too, once it had written everything is complete`() throws {
        // Neither records the end of what it wrote.
        let killed = try write(1...5, isClosed: false)
        let recovery = try write(6...8, isClosed: false)
        try LedgerFile(directory: directory.file(".taffrail")).append([
            .end(
                Ledger.Ending(
                    run: RingID(5), startedAt: Timestamp(nanoseconds: 1), endedAt: .now, records: 8,
                    sink: "file:app.log", destination: "app.log"))
        ])
        let proof = try prove()
        #expect(proof.isComplete, "\(proof.report)")
        #expect(proof.report.contains("  run 0000000000000005: 1 to 8, 8 lines in 1 file"), "\(proof.report)")
        try recovery.close()
        try killed.close()
    }

    @Test func `a missing file is reported by its numbers`() throws {
        _ = try write(1...200, size: .kibibytes(2))
        let rotated = directory.names.filter { $0 != "app.log" }
        let index = try LogIndex(of: try #require(LogPath(ofLog: directory.file("app.log")))).files
        let second = try #require(index[1].stretches.first)
        unlink(directory.file(rotated[1]))
        var proof = try prove()
        #expect(!proof.isComplete)
        let last = try #require(second.lastSequence)
        #expect(
            proof.report.contains { $0.contains("\(second.firstSequence) to \(last) missing: cause unknown") },
            "\(proof.report)")
        // The oldest ones go by rotation.
        unlink(directory.file(rotated[0]))
        proof = try prove()
        #expect(
            proof.report.contains { $0.contains("1 to \(last) missing: before the oldest file") }, "\(proof.report)")
        #expect(!proof.isComplete)
    }

    @Test func `removed and inserted lines are counted`() throws {
        _ = try write(1...100, size: .kibibytes(2))
        let name = try #require(directory.names.first { $0 != "app.log" })
        let lines = directory.lines(name)
        unlink(directory.file(name))
        try directory.append((lines.prefix(3) + lines.dropFirst(5)).joined(separator: "\n") + "\n", to: name)
        let cut = try prove()
        #expect(!cut.isComplete)
        #expect(cut.report.contains { $0.contains("in the index") }, "\(cut.report)")
        #expect(cut.report.contains { $0.contains("2 of 1 to \(lines.count) missing") }, "\(cut.report)")
    }

    @Test func `in JSON every missing and duplicate number is reported`() throws {
        _ = try write(1...50, format: .json)
        let lines = directory.lines("app.log")
        unlink(directory.file("app.log"))
        let changed = lines.prefix(10) + lines[12..<20] + lines[25...] + lines.suffix(1)
        try directory.append(changed.joined(separator: "\n") + "\n", to: "app.log")
        let proof = try prove()
        #expect(
            proof.report.contains { $0.contains("11 to 12, 21 to 25 missing: cause unknown") }, "\(proof.report)"
        )
        #expect(proof.report.contains { $0.contains("1 more lines than numbered records") }, "\(proof.report)")
    }

    @Test func `records in a ring are not missing, and its drops are reported`() throws {
        _ = try write(1...3, run: 0xF11E)
        mkdir(directory.file(".taffrail"), 0o700)
        var ring = CraftedRing(sinks: ["file:app.log"])
        for number in 1...7 { ring.append(LogRecord(level: .info, message: "\(number)")) }
        // The file has the first three.
        withUnsafeBytes(of: ring.records[3].position) { word in
            for (place, byte) in word.enumerated() { ring.bytes[RingHeader.offset(ofSlot: 0) + place] = byte }
        }
        ring.write(to: directory.file(".taffrail/000000000000f11e.ring"))
        let proof = try prove()
        #expect(proof.isComplete, "\(proof.report)")
        #expect(proof.report.contains { $0.contains("1 to 7, 3 lines in 1 file") }, "\(proof.report)")
        #expect(proof.report.contains { $0.contains("4 to 7 in the queue, waiting for recovery") }, "\(proof.report)")
    }

    #if Command
    @Test func `taffrail tail --verify reports it and shows by its exit status whether anything is missing`() throws {
        _ = try write(1...50, format: .json)
        func verify() throws -> (String, Program.End) {
            let tail = try Program(["tail", "--verify", directory.path], of: "taffrail")
            return (tail.readToEnd(), tail.end())
        }
        let (complete, end) = try verify()
        #expect(end == .exited(0))
        #expect(complete.contains("app.log: complete"))
        let lines = directory.lines("app.log")
        unlink(directory.file("app.log"))
        try directory.append(lines.dropFirst().dropLast(3).joined(separator: "\n") + "\n", to: "app.log")
        let (cut, badEnd) = try verify()
        #expect(badEnd == .exited(65))
        #expect(cut.contains("1 missing: before the oldest file"), "\(cut)")
        #expect(cut.contains("48 to 50 missing: cause unknown"), "\(cut)")
    }
    #endif
}
