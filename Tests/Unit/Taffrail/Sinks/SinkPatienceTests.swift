import Glibc
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// How long the queue waits for a sink that fails while another works.
@Suite(.mayBlock) struct SinkPatienceTests {
    private let directory = TemporaryDirectory()

    private final class Impatient: Sink {
        let name = "impatient"
        var patience: Duration? { .seconds(5) }
        func write(_ batch: borrowing RecordBatch) throws(SinkError) {}
    }

    /// Always fails.
    private final class Hasty: Sink, Sendable {
        let name = "hasty-\(UInt64.random(in: 0 ... .max))"
        var patience: Duration? { .milliseconds(50) }
        func write(_ batch: borrowing RecordBatch) throws(SinkError) { throw .temporary("away") }
    }

    private static let hour: Int64 = 3_600_000_000_000

    @Test func `a sink that fails is detached when half the ring waits for it, not before`() throws {
        let ring = try Ring.inMemory(capacity: 64 << 10, start: 0)
        var sinks = AttachedSinks(
            [FilteredSink(MemorySink(name: "good")), FilteredSink(FailingSink(name: "bad"))], to: ring, ledgers: [])
        sinks.states[1].fail("away", at: 0)
        sinks.detachLate(numbered: 32 << 10, now: 24 * Self.hour)
        #expect(!sinks.states[1].isDetached)
        sinks.detachLate(numbered: 32 << 10 + 16, now: 1)
        #expect(sinks.states[1].isDetached && !sinks.states[0].isDetached)
    }

    @Test func `a sink may ask for a limit of time`() throws {
        let ring = try Ring.inMemory(capacity: 64 << 10, start: 0)
        var sinks = AttachedSinks(
            [FilteredSink(MemorySink()), FilteredSink(Impatient())], to: ring, ledgers: [])
        sinks.states[1].fail("away", at: 0)
        sinks.detachLate(numbered: 0, now: 5_000_000_000)
        #expect(!sinks.states[1].isDetached)
        sinks.detachLate(numbered: 0, now: 5_000_000_001)
        #expect(sinks.states[1].isDetached)
    }

    @Test func `a sink is detached when its limit of time is over, also if nothing more is logged`() async throws {
        let captured = CapturedDiagnostics()
        let sink = Hasty()
        let pipeline = Pipeline(
            sinks: [try FileSink(FileOptions(path: directory.file("app.log"))), sink],
            queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("one")
        let control = pipeline.queue.control
        try #require(await eventually { control.header?.lost(inSlot: 1) == 1 })
        #expect(
            captured.lines(with: sink.name) == [
                "sink \(sink.name): away; retrying",
                "sink \(sink.name) is detached; the records it misses are counted: away",
            ])
        #expect(directory.messages == ["one"])
        #expect(!pipeline.flush() && pipeline.flush())
        #expect(pipeline.shutdown() && directory.rings == [])
        let drops = try Ledger.read(directory: directory.path).drops
        #expect(drops.map(\.reason) == [.sinkLagging] && drops.map(\.sink) == [sink.name])
        #expect(drops.map(\.count) == [1] && drops.map(\.sequences) == [1...1])
    }

    @Test func `the last sink that works is never set aside`() throws {
        let ring = try Ring.inMemory(capacity: 64 << 10, start: 0)
        var sinks = AttachedSinks([FilteredSink(FailingSink(name: "bad"))], to: ring, ledgers: [])
        sinks.states[0].fail("away", at: 0)
        sinks.detachLate(numbered: 64 << 10, now: Self.hour)
        #expect(!sinks.states[0].isDetached)
    }

    private func pipeline(_ store: StoreSink) throws -> Pipeline {
        Pipeline(
            sinks: [try FileSink(FileOptions(path: directory.file("app.log"))), store],
            queue: QueueOptions(handleSignals: false))
    }

    @Test func `while a sink fails flush and shutdown return false, and the next run delivers its records`() throws {
        let other = TemporaryDirectory()
        let store = StoreSink(other.path)
        store.fails.withLock { $0 = true }
        let first = try pipeline(store)
        for n in 1...50 { first.logger.info("\(n)") }
        #expect(!first.flush(timeout: .seconds(0.2)))
        #expect(waited { directory.messages.count == 50 })
        #expect(!first.shutdown(timeout: .seconds(0.2)))
        #expect(directory.rings.count == 1 && directory.messages.count == 50)
        #expect(try Ledger.read(directory: directory.path).drops == [])
        RecoveryRun.awaitUnlocked(directory.file(".taffrail"))
        let second = try pipeline(StoreSink(other.path))
        second.logger.info("51")
        #expect(second.shutdown())
        #expect(StoreSink.messages(in: other.path) == (1...51).map { "\($0)" })
        #expect(directory.rings == [] && directory.messages.count == 51)
    }

    @Test func `a sink that fails while a dead run's ring is drained does not delay the others`() async throws {
        let other = TemporaryDirectory()
        let store = StoreSink(other.path)
        store.fails.withLock { $0 = true }
        let first = try pipeline(store)
        first.logger.info("1")
        #expect(!first.shutdown(timeout: .seconds(0)))
        RecoveryRun.awaitUnlocked(directory.file(".taffrail"))
        let again = StoreSink(other.path)
        again.fails.withLock { $0 = true }
        let second = try pipeline(again)
        second.logger.info("2")
        #expect(await eventually { directory.messages == ["1", "2"] })
        again.fails.withLock { $0 = false }
        // The dead run's record first.
        #expect(await eventually { StoreSink.messages(in: other.path) == ["1", "2"] })
        #expect(second.shutdown())
        #expect(directory.rings == [])
    }

    @Test func `losses after a sink has accepted records are in the ledger`() throws {
        final class Spool: Sink, @unchecked Sendable {
            let name = "spool"
            var book = SinkBook.none
            func attach(_ book: SinkBook) { self.book = book }
            func write(_ batch: borrowing RecordBatch) throws(SinkError) {
                try book.note(1, lostBy: .overflow, of: batch.run, among: 1...1, levels: [.info: 1])
            }
        }
        let pipeline = Pipeline(
            sinks: [try FileSink(FileOptions(path: directory.file("app.log"))), Spool()],
            queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("one")
        #expect(pipeline.shutdown())
        let drops = try Ledger.read(directory: directory.path).drops
        #expect(drops.first?.reason == .overflow && drops.first?.sink == "spool")
        #expect(drops.first?.sequences == 1...1 && drops.first?.levels == [.info: 1])
    }
}
