import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail

/// Records copied out of a ring with everything that belongs to them.
@Suite(.mayBlock) struct RecordCopyTests {
    /// Copies its records.
    private final class CopyingSink: Sink {
        let found = Locked<(records: [LogRecord], bytes: [UInt8], threads: [UInt32])>(([], [], []))

        func write(_ batch: borrowing RecordBatch) throws(SinkError) {
            var buffer = RecordBuffer(run: batch.run)
            batch.copy(into: &buffer)
            var records: [LogRecord] = []
            var threads: [UInt32] = []
            batch.forEach { view in
                records.append(LogRecord(view))
                threads.append(view.threadID)
            }
            let bytes = buffer.bytes
            found.withLock { [records, threads] found in
                found.records += records
                found.bytes += bytes
                found.threads += threads
            }
        }
    }

    /// The records of a pipeline's sink, and their copy.
    private func copied() throws -> (records: [LogRecord], bytes: [UInt8], threads: [UInt32]) {
        let sink = CopyingSink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        let context = PublishedContext()
        pipeline.add(context)
        let trace = TraceContext(
            traceID: TraceContext.TraceID(high: 1, low: 2), spanID: TraceContext.SpanID(3), flags: .sampled)
        for n in 0..<20 {
            try context.publish(["ambient": .int(Int64(n))])
            pipeline.logger("net.http").info("record \(n)", ["n": .int(Int64(n)), "list": ["a", 1]])
            Logger.withTrace(trace) { pipeline.logger.log(level: .error, event: "span", "with a trace") }
            pipeline.logger.log(
                LogRecord(
                    timestamp: Timestamp(nanoseconds: 7), level: .debug, message: "", eventName: "e",
                    attributes: [LogValueEntry("own", .bool(true))], logger: "elsewhere",
                    source: LogRecord.SourceLocation(file: "A/B.swift", function: "f()", line: 3)), ambient: n % 2 == 0)
        }
        // The slots of the ambient attributes are used again, and the ring is gone.
        pipeline.shutdown()
        return sink.found.withLock { $0 }
    }

    @Test func `a copy has everything after its ring is removed`() throws {
        let (records, bytes, threads) = try copied()
        let run = try #require(records.first).run
        guard let buffer = RecordBuffer(bytes: bytes, run: run) else {
            Issue.record("the copy is refused")
            return
        }
        var found: [LogRecord] = []
        var foundThreads: [UInt32] = []
        buffer.withBatch { batch in
            batch.forEach {
                found.append(LogRecord($0))
                foundThreads.append($0.threadID)
            }
        }
        #expect(found == records && records.count == 40)
        #expect(foundThreads == threads)
        #expect(found.contains { $0["ambient"] == 19 && $0.source != nil && $0.logger == "net.http" })
        // A copy of a copy is the same, and so is a record that was made by hand.
        var again = RecordBuffer(run: run)
        var made = RecordBuffer(run: run)
        buffer.withBatch { $0.copy(into: &again) }
        for record in records { made.append(record) }
        #expect(again.bytes == bytes)
        #expect(isAccepted(made.bytes))
    }

    @Test func `bytes that are damaged, cut or foreign are refused`() throws {
        let bytes = Array(try copied().bytes.prefix(1000))
        var length = 0
        while length < 600 { length += Int(bytes[length]) * 16 }
        let whole = Array(bytes[..<length])
        #expect(isAccepted(whole))
        #expect(isAccepted([]))
        var accepted: Set<Int> = []
        var first = 0
        while first < whole.count {
            let size = Int(whole[first]) * 16
            // The record's number is under no checksum, as in a ring.
            for offset in first..<first + size where !(first + 8..<first + 16).contains(offset) {
                var damaged = whole
                damaged[offset] ^= 0x10
                if isAccepted(damaged) { accepted.insert(offset) }
            }
            first += size
        }
        #expect(accepted == [])
        for cut in [1, 8, 15, 16, 63, 64, whole.count - 1] {
            #expect(!isAccepted(Array(whole[..<cut])))
        }
        #expect(!isAccepted([UInt8](repeating: 0, count: 256)))
        #expect(!isAccepted([UInt8](repeating: 0xFF, count: 256)))
    }

    private func isAccepted(_ bytes: [UInt8]) -> Bool {
        guard let buffer = RecordBuffer(bytes: bytes, run: .none) else { return false }
        return buffer.count >= 0
    }
}
