import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailCommand

@Suite(.mayBlock) struct RecordProgressSinkTests {
    /// A sink that notes the calls of all that the protocol requires.
    private final class Spy: Sink {
        var calls: [String] = []
        let name = "spy"
        let destinations = ["/there"]
        let patience: Duration? = .seconds(7)
        let stateDirectory: String? = "/there/state"

        var logFile: LogFile? {
            calls.append("logFile")
            return nil
        }

        func openDestination() throws(SinkError) { calls.append("openDestination") }
        func attach(_ book: SinkBook) { calls.append("attach \(book.sink)") }
        func write(_ batch: borrowing RecordBatch) throws(SinkError) { calls.append("write \(batch.count)") }
        func flush() throws(SinkError) { calls.append("flush") }
        func close() throws(SinkError) { calls.append("close") }
        func close(within limit: Duration) throws(SinkError) { calls.append("close \(limit == .seconds(3))") }
        func reopen() throws(SinkError) { calls.append("reopen") }
        func rotate() throws(SinkError) { calls.append("rotate") }

        func position(in ring: RingID) -> UInt64? {
            calls.append("position")
            return 42
        }
    }

    @Test func `the recorder gets every call`() throws {
        let spy = Spy()
        var reported = 0
        let sink = RecordProgressSink(spy, RecordProgress(waitingFor: "a")) { _ in reported += 1 }
        #expect(sink.name == "spy" && sink.destinations == ["/there"] && sink.patience == .seconds(7))
        #expect(sink.stateDirectory == "/there/state" && sink.logFile == nil)
        try sink.openDestination()
        sink.attach(SinkBook(sink: "spy", ledgers: []))
        #expect(sink.position(in: RingID(1)) == 42)
        var buffer = RecordBuffer(run: RingID(1))
        buffer.append(LogRecord(level: .info, message: "x"))
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
        try sink.flush()
        try sink.reopen()
        try sink.rotate()
        try sink.close(within: .seconds(3))
        try sink.close()
        #expect(
            spy.calls == [
                "logFile", "openDestination", "attach spy", "position", "write 1", "flush", "reopen", "rotate",
                "close true", "close",
            ])
        // After the batch, and at each end.
        #expect(reported == 3)
    }
}
