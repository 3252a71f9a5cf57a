import Glibc
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// A directory of queues, or the directory of a log, that was moved or copied without the other.
@Suite(.mayBlock) struct MovedQueueTests {
    private let logs = TemporaryDirectory()
    private let data = TemporaryDirectory()
    private let queues = TemporaryDirectory()

    private func file() throws -> FileSink { try FileSink(FileOptions(path: logs.file("app.log"))) }

    private func run(
        _ sinks: sending [any Sink], _ message: String, timeout: Duration = .seconds(30), queue name: String
    ) -> Bool {
        let pipeline = Pipeline(sinks: sinks, queue: QueueOptions(handleSignals: false, directory: queues.file(name)))
        pipeline.logger.info("\(message)")
        return pipeline.shutdown(timeout: timeout)
    }

    @Test func `pointers to a queue whose directory has been moved count, and are removed with it`() throws {
        mkdir(queues.file("old"), 0o700)
        let store = StoreSink(data.path)
        store.fails.withLock { $0 = true }
        do {
            let isWritten = try run([file(), store], "left", timeout: .zero, queue: "old")
            #expect(!isWritten)
        }
        rename(queues.file("old"), queues.file("new"))
        RecoveryRun.awaitUnlocked(queues.file("new"))
        do {
            let isWritten = try run([file()], "next", queue: "new")
            #expect(isWritten)
        }
        #expect(logs.messages == ["left", "next"] && Recovery.rings(in: queues.file("new")) == [])
        let drops = try Ledger.read(directory: data.path).drops
        #expect(drops.map(\.reason) == [.sinkRemoved] && drops.map(\.sink) == ["store"] && drops.map(\.count) == [1])
        #expect(Directory.names(in: data.file(".taffrail")) == ["ledger"])
    }

    @Test func `the directory of a log may be moved without the queue, for readers and recover too`() throws {
        mkdir(queues.file("queues"), 0o700)
        let path = queues.leaveRing("queues", [("file:app.log", logs.file("app.log"), 0)])
        let run = CraftedRing().run
        try RingPointer.write(ring: path, run: run, in: logs.file(".taffrail"))
        try RingPointer.list([logs.file(".taffrail")], besideRing: path, run)
        rename(logs.file(".taffrail"), data.file(".taffrail"))
        guard case .readable(let ring) = RingFile.inspect(path) else { throw SystemError(path) }
        let sinks = RingSinks(ring.header, ringIn: ring.directory)
        #expect(sinks.share(ofLog: data.file("app.log")) == RingSinks.Share(slot: 0))
        #expect(sinks.share(ofLog: data.file("other.log")) == nil && sinks.share(ofLog: queues.file("app.log")) == nil)
        let report = try LogRecovery.recover(directory: data.path)
        #expect(report.records == 3 && report.files == [data.file("app.log")] && report.waiting == [])
        #expect(data.lines("app.log").count == 3 && Recovery.rings(in: queues.file("queues")) == [])
        #expect(!Directory.names(in: data.file(".taffrail")).contains { $0.hasSuffix(".at") })
    }

    @Test func `a copy of a queue leaves the pointers to the original`() throws {
        for name in ["old", "new"] { mkdir(queues.file(name), 0o700) }
        for name in ["old", "new"] { _ = queues.leaveRing(name, [("file:app.log", logs.file("app.log"), 3)]) }
        let run = CraftedRing().run
        let original = queues.file("old/\(run).ring")
        try RingPointer.write(ring: original, run: run, in: data.file(".taffrail"))
        try RingPointer.list([data.file(".taffrail")], besideRing: original, run)
        try RingPointer.list([data.file(".taffrail")], besideRing: queues.file("new/\(run).ring"), run)
        #expect(RecoveryRun(queues.file("new"), sinks: [try file()]).isDone)
        #expect(Recovery.rings(in: queues.file("new")) == [])
        #expect(RingPointer.rings(in: data.file(".taffrail")) == [original])
    }
}
