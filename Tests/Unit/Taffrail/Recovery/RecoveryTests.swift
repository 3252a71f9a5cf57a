import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Recovery with sinks that fail, and recovery that is repeated.
@Suite(.mayBlock) struct RecoveryTests {
    private let directory = TemporaryDirectory()

    private func messages(_ run: Int, _ count: Int = 40) -> [String] { (0..<count).map { "run \(run) record \($0)" } }

    private func writeRings(_ count: Int, sinks: [String] = ["memory"], isNumbered: Bool = true) {
        for number in 1...count {
            var ring = CraftedRing(run: RingID(UInt64(number)), sinks: sinks)
            for message in messages(number) {
                ring.append(LogRecord(level: .info, message: message), isNumbered: isNumbered)
            }
            ring.write(to: directory.file("\(ring.run).ring"))
        }
    }

    @Test func `a second recovery changes nothing`() {
        writeRings(2)
        let sink = MemorySink()
        for _ in 0..<3 {
            #expect(RecoveryRun(directory.path, sinks: [sink]).isDone)
            #expect(sink.messages == messages(1) + messages(2))
        }
        #expect(directory.names == [])
    }

    @Test func `records that had no number yet get theirs`() {
        writeRings(1, isNumbered: false)
        let sink = MemorySink()
        _ = RecoveryRun(directory.path, sinks: [sink])
        #expect(sink.records.map(\.sequence) == Array(1...40))
        #expect(sink.records.allSatisfy { $0.run == RingID(1) })
    }

    @Test func `a sink that fails half way gets the rest later, once`() {
        writeRings(2)
        let sink = FailingSink(name: "memory")
        sink.fail(FailingSink.Failure(.temporary, taken: 13, times: 3))
        let run = RecoveryRun(directory.path, sinks: [sink], turns: 20)
        #expect(run.isDone && run.recovery.recovered == 80)
        #expect(sink.failures == 3)
        #expect(sink.messages == messages(1) + messages(2))
        #expect(directory.names == [])
    }

    /// A child that has just been started holds a copy of the lock.
    @Test(arguments: [true, false])
    func `a ring that is locked when it is tried again is waited for, but not for long`(isFreed: Bool) throws {
        writeRings(2)
        let sink = FailingSink(name: "memory")
        sink.fail(FailingSink.Failure(.temporary, taken: 13, times: 1))
        let recovery = Recovery(Recovery.Scope(directories: [directory.path]))
        var states = [SinkState(FilteredSink(sink), name: "memory")]
        func isWaiting(_ now: Int64) -> Bool {
            recovery.advance(sinks: &states, processors: ProcessorChain([]), now: now)
        }
        // The delay after the failure is over by then.
        let start = SystemClock.monotonicNanoseconds()
        let again = start + 600_000_000_000
        RecoveryRun.awaitUnlocked(directory.path)
        #expect(isWaiting(start))
        RecoveryRun.awaitUnlocked(directory.path)
        let holder = try FileDescriptor(directory.file("\(RingID(1)).ring"), [.readWrite, .ownFile])
        let isHeld = try FileLock.tryAcquire(holder, start: 0, length: 0)
        try #require(isHeld)
        #expect(isWaiting(again))
        #expect(isWaiting(again + Recovery.lockPatience - 1))
        // The next ring has to wait as well.
        #expect(sink.messages == Array(messages(1)[..<13]))
        // Another process has it, and delivers its records.
        let end = again + Recovery.lockPatience + SinkState.longestDelay
        if !isFreed { #expect(!isWaiting(end) && recovery.isDone) }
        FileLock.release(holder, start: 0, length: 0)
        RecoveryRun.awaitUnlocked(directory.path)
        #expect(!isWaiting(end) && recovery.isDone)
        #expect(sink.messages == (isFreed ? messages(1) : Array(messages(1)[..<13])) + messages(2))
        #expect(directory.names == (isFreed ? [] : ["\(RingID(1)).ring"]))
    }

    @Test func `records written by an interrupted recovery are not written again by the next`() {
        writeRings(2)
        let sink = FailingSink(name: "memory")
        for taken in [5, 0, 34, 17] {
            sink.fail(FailingSink.Failure(.temporary, taken: taken, times: 1))
            let run = RecoveryRun(directory.path, sinks: [sink])
            #expect(!run.isDone)
        }
        #expect(RecoveryRun(directory.path, sinks: [sink]).isDone)
        #expect(sink.messages == messages(1) + messages(2))
        #expect(directory.names == [])
    }

    /// Stores its position with its data, but none for records that mean nothing to it.
    private final class SelectiveSink: Sink {
        let name = "memory"
        var messages: [String] = []
        var stored: UInt64

        init(stored: UInt64) { self.stored = stored }

        func write(_ batch: borrowing RecordBatch) {
            batch.forEach { record in
                messages.append(record.message)
                stored = record.end
            }
        }

        func position(in ring: RingID) -> UInt64? { stored }
    }

    @Test(arguments: [4, 5])
    func `a sink whose stored position is before what the queue has freed gets the rest`(freed: Int) {
        var ring = CraftedRing(run: RingID(1), sinks: ["memory"])
        for message in messages(1, 5) { ring.append(LogRecord(level: .info, message: message)) }
        let ends = ring.records.map { $0.position + UInt64($0.length) }
        // Of the freed records the sink stored the first; the others meant nothing to it.
        ring.withHeader { header in
            header.head = ends[freed - 1]
            header.setPosition(ofSlot: 0, ends[freed - 1])
        }
        ring.write(to: directory.file("\(ring.run).ring"))
        let sink = SelectiveSink(stored: ends[0])
        let run = RecoveryRun(directory.path, sinks: [sink], turns: 3)
        #expect(run.isDone)
        #expect(sink.messages == Array(messages(1, 5).dropFirst(freed)))
        #expect(directory.names == [])
    }

    @Test func `each of two sinks gets everything once, though one of them fails`() {
        writeRings(2, sinks: ["good", "bad"])
        let good = MemorySink(name: "good")
        let bad = FailingSink(name: "bad")
        for taken in [0, 3] {
            bad.fail(FailingSink.Failure(.temporary, taken: taken, times: 1))
            _ = RecoveryRun(directory.path, sinks: [good, bad])
        }
        #expect(RecoveryRun(directory.path, sinks: [good, bad]).isDone)
        #expect(good.messages == messages(1) + messages(2))
        #expect(bad.messages == messages(1) + messages(2))
    }

    @Test func `a permanently refused record is skipped, the others are delivered`() {
        writeRings(1)
        let sink = FailingSink(name: "memory", refusing: { $0.message.hasSuffix("7") })
        #expect(RecoveryRun(directory.path, sinks: [sink]).isDone)
        #expect(sink.messages == messages(1).filter { !$0.hasSuffix("7") })
        #expect(directory.names == [])
    }

    @Test func `a ring stays until what was written has been flushed, and nothing is written twice`() {
        let captured = CapturedDiagnostics()
        writeRings(1)
        let sink = FailingSink(name: "memory")
        sink.failFlush()
        let run = RecoveryRun(directory.path, sinks: [sink])
        #expect(run.isDone && sink.messages == messages(1))
        #expect(run.recovery.left == [directory.file("\(RingID(1)).ring")] && directory.names.count == 1)
        #expect(captured.lines(with: "sink memory cannot flush").count == 1)
        sink.restore()
        #expect(RecoveryRun(directory.path, sinks: [sink]).isDone)
        #expect(sink.messages == messages(1) && directory.names == [])
    }

    @Test func `a ring without a sink of this program is skipped, and so is one for another log`() {
        let captured = CapturedDiagnostics()
        writeRings(1, sinks: ["gone"])
        let sink = MemorySink()
        let run = RecoveryRun(directory.path, sinks: [sink])
        #expect(run.isDone && run.recovery.left.count == 1)
        #expect(captured.lines(with: directory.path).count == 1)
        let other = RecoveryRun(directory.path, sinks: [MemorySink(name: "gone")], isOursOnly: true)
        #expect(other.isDone && other.recovery.left == [])
        #expect(directory.names.count == 1)
    }

    @Test func `a run whose queue is in memory delivers what a durable one left`() throws {
        let sink = try FileSink(FileOptions(path: directory.file("app.log")))
        _ = sink.stateDirectory
        _ = directory.leaveRing(".taffrail", [(name: "file:app.log", path: directory.file("app.log"), written: 0)])
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        RecoveryRun.awaitUnlocked(directory.file(".taffrail"))
        pipeline.logger.info("new")
        #expect(pipeline.shutdown())
        #expect(directory.messages == ["left 1", "left 2", "left 3", "new"] && directory.rings == [])
    }

    @Test func `drops before the end are reported`() {
        let captured = CapturedDiagnostics()
        var ring = CraftedRing(run: RingID(0xD80B))
        ring.bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: 7, toByteOffset: 128 + 8 * Int(Level.debug.rawValue), as: UInt64.self)
        }
        ring.write(to: directory.file("\(ring.run).ring"))
        _ = RecoveryRun(directory.path, sinks: [MemorySink()])
        #expect(captured.lines(with: "\(ring.run)") == ["run \(ring.run) dropped 7 records before it ended"])
    }

    @Test func `a run's end and losses are in the ledger once, even if its ring was not removed after that`() throws {
        // As if the recovery had been killed between the two.
        for _ in 0..<2 {
            writeRings(1, sinks: ["memory", "gone"])
            #expect(RecoveryRun(directory.path, sinks: [MemorySink()], ledger: true).isDone)
            #expect(directory.names == ["ledger"])
        }
        let lines = directory.lines("ledger")
        #expect(lines.count == 2 && lines.first?.contains(" d ") == true && lines.last?.contains(" e ") == true)
    }

    @Test func `names that were never finished are removed`() throws {
        try directory.append("half", to: "0.ring.tmp")
        _ = RecoveryRun(directory.path, sinks: [MemorySink()])
        #expect(directory.names == [])
    }
}
