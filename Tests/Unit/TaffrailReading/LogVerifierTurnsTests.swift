import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Files that two runs write in turn, more often than the index records.
@Suite(.mayBlock) struct LogVerifierTurnsTests {
    let directory = TemporaryDirectory()

    private func prove() throws -> LogVerifier {
        LogVerifier(of: try #require(LogPath(ofLog: directory.file("app.log"))))
    }

    private func has(_ text: String, _ proof: LogVerifier) -> Bool { proof.report.contains { $0.contains(text) } }

    private func sinks(_ format: FileOptions.Format = .text, keep: Int? = nil) throws -> [FileSink] {
        try (1...2).map { _ in
            try FileSink(
                FileOptions(
                    path: directory.file("app.log"), rotate: RotationOptions(size: nil, keep: keep), format: format))
        }
    }

    /// Writes each number to both sinks in turn, of run 1 and run 2.
    private func write(_ numbers: ClosedRange<UInt64>, to sinks: [FileSink]) throws {
        for number in numbers {
            for (index, sink) in sinks.enumerated() {
                var buffer = RecordBuffer(run: RingID(UInt64(index) + 1))
                buffer.append(
                    LogRecord(
                        timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(number) * 1_000_000),
                        sequence: number, level: .info, message: "record \(number)"))
                try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
            }
        }
    }

    /// Records in the ledger how many records the runs logged.
    private func end(with records: UInt64) throws {
        try LedgerFile(directory: directory.file(".taffrail")).append(
            (1...2 as ClosedRange<UInt64>).map { run -> LedgerEntry in
                .end(
                    Ledger.Ending(
                        run: RingID(run), startedAt: Timestamp(nanoseconds: 1), endedAt: .now, records: records,
                        sink: "file:app.log", destination: "app.log"))
            })
    }

    /// Replaces the lines of the live file, which stays the same file.
    private func replaceLines(_ body: (inout [String]) -> Void) throws {
        var lines = directory.lines("app.log")
        body(&lines)
        let file = try FileDescriptor(directory.file("app.log"), .write)
        try file.truncate(to: 0)
        try directory.append(lines.map { $0 + "\n" }.joined(), to: "app.log")
    }

    @Test func `what the index no longer covers is not lost, and the report shows where it starts`() throws {
        let sinks = try sinks()
        try write(1...300, to: sinks)
        // While the programs run, and when they have ended.
        #expect(try prove().isComplete)
        for sink in sinks { try sink.close() }
        try end(with: 300)
        let proof = try prove()
        #expect(proof.isComplete, "\(proof.report)")
        #expect(proof.report.first == "\(directory.file("app.log")): complete as far as it can be checked")
        let start = directory.lines("app.log").prefix(512).reduce(0) { $0 + $1.utf8.count + 1 }
        #expect(
            has("app.log: cannot be checked from byte \(start) on, where 88 lines are not in the index", proof),
            "\(proof.report)")
        for run in 1...2 { #expect(has("run 000000000000000\(run): 1 to 256, 256 lines", proof), "\(proof.report)") }
        #expect(has("257 to 300 missing: perhaps among the lines that are not in the index", proof))
    }

    @Test func `more numbers than lines that the index does not cover are lost`() throws {
        let sinks = try sinks()
        try write(1...300, to: sinks)
        for sink in sinks { try sink.close() }
        try end(with: 400)
        var proof = try prove()
        #expect(!proof.isComplete)
        #expect(has("56 of 257 to 400 missing: cause unknown", proof), "\(proof.report)")
        // Without these lines nothing is unknown.
        try replaceLines { $0.removeLast(88) }
        proof = try prove()
        #expect(!proof.isComplete)
        #expect(has("257 to 400 missing: cause unknown", proof), "\(proof.report)")
    }

    @Test func `a line that is deleted where the index covers the file is found`() throws {
        let sinks = try sinks()
        try write(1...300, to: sinks)
        for sink in sinks { try sink.close() }
        try replaceLines { $0.remove(at: 100) }
        let proof = try prove()
        #expect(!proof.isComplete)
        #expect(has("have been changed", proof), "\(proof.report)")
    }

    @Test func `in JSON every line is checked`() throws {
        let sinks = try sinks(.json)
        try write(1...300, to: sinks)
        for sink in sinks { try sink.close() }
        try end(with: 300)
        var proof = try prove()
        #expect(proof.isComplete && proof.report.first?.hasSuffix(": complete") == true, "\(proof.report)")
        // Number 290 of run 1.
        try replaceLines { $0.remove(at: 2 * 289) }
        proof = try prove()
        #expect(!proof.isComplete)
        #expect(has("290 missing: cause unknown", proof), "\(proof.report)")
    }

    @Test func `retention and deletion by hand of such files are told apart`() throws {
        let sinks = try sinks(keep: 1)
        for first in [1, 301, 601] as [UInt64] {
            try write(first...(first + 299), to: sinks)
            if first < 601 { try sinks[0].rotate() }
        }
        for sink in sinks { try sink.close() }
        var proof = try prove()
        #expect(proof.isComplete, "\(proof.report)")
        #expect(
            proof.report.first?.hasSuffix("complete as far as it can be checked, except records removed on purpose")
                == true, "\(proof.report)")
        #expect(has("257 to 300", proof) && has("missing: removed by retention", proof), "\(proof.report)")
        unlink(directory.file(try #require(directory.names.first { $0 != "app.log" })))
        proof = try prove()
        #expect(!proof.isComplete)
        #expect(has("301 to 600 missing: before the oldest file", proof), "\(proof.report)")
    }

    @Test func `a stretch whose end is unknown is not counted by lines that may be another run's`() throws {
        let sinks = try sinks()
        try write(1...257, to: sinks)
        // The last one has space for 256 more stretches, the first two for none.
        let third = try FileSink(
            FileOptions(path: directory.file("app.log"), rotate: RotationOptions(size: nil, keep: nil)))
        var buffer = RecordBuffer(run: RingID(3))
        buffer.append(LogRecord(sequence: 1, level: .info, message: "one"))
        try buffer.withBatch { batch throws(SinkError) in try third.write(batch) }
        try write(258...260, to: sinks)
        let proof = try prove()
        #expect(proof.isComplete, "\(proof.report)")
        #expect(has("where 9 lines are not in the index", proof), "\(proof.report)")
        for sink in sinks + [third] { try sink.close() }
        #expect(try has("where 8 lines are not in the index", prove()))
    }
}
