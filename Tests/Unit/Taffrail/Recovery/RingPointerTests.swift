import Foundation
import Glibc
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// A configuration that shares one sink with a dead run finds its ring.
@Suite(.mayBlock) struct RingPointerTests {
    private let logs = TemporaryDirectory()
    private let data = TemporaryDirectory()

    private func run(_ sinks: sending [any Sink], _ message: String, timeout: Duration = .seconds(30)) -> Bool {
        let pipeline = Pipeline(sinks: sinks, queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("\(message)")
        return pipeline.shutdown(timeout: timeout)
    }

    private func file() throws -> FileSink { try FileSink(FileOptions(path: logs.file("app.log"))) }
    private var pointers: [String] { data.names(in: ".taffrail") }

    /// Leaves a ring with a record for a store that fails.
    private func leaveRing(withFile hasFile: Bool) throws {
        let store = StoreSink(data.path)
        store.fails.withLock { $0 = true }
        let sinks: [any Sink] = hasFile ? [try file(), store] : [store]
        let isWritten = run(sinks, "left", timeout: .zero)
        #expect(!isWritten)
        RecoveryRun.awaitUnlocked((hasFile ? logs : data).file(".taffrail"))
    }

    @Test func `without the log file a later run finds the ring next to the log`() throws {
        try leaveRing(withFile: true)
        #expect(logs.rings.count == 1 && pointers.count == 1 && pointers[0].hasSuffix(".at"))
        do {
            let isWritten = run([StoreSink(data.path)], "next")
            #expect(isWritten)
        }
        #expect(StoreSink.messages(in: data.path) == ["left", "next"])
        #expect(logs.rings == [] && pointers.filter { $0 != "ledger" } == [])
    }

    @Test func `with a new log file a later run finds the ring next to the store`() throws {
        try leaveRing(withFile: false)
        #expect(pointers.count == 1 && pointers[0].hasSuffix(".ring"))
        do {
            let isWritten = try run([file(), StoreSink(data.path)], "next")
            #expect(isWritten)
        }
        #expect(StoreSink.messages(in: data.path) == ["left", "next"])
        #expect(logs.messages == ["next"])
        #expect(pointers.filter { $0 != "ledger" } == [])
    }

    @Test func `records that a sink missed are in the ledger next to it too, whichever run drains the ring`() throws {
        try leaveRing(withFile: true)
        do {
            let isWritten = try run([file()], "next")
            #expect(isWritten)
        }
        #expect(logs.messages == ["left", "next"] && logs.rings == [])
        let drops = try Ledger.read(directory: data.path).drops
        #expect(drops.map(\.reason) == [.sinkRemoved] && drops.map(\.sink) == ["store"] && drops.map(\.count) == [1])
        #expect(pointers == ["ledger"])
    }

    @Test func `a relative directory of queues is one of the working directory, and pointers lead to it`() throws {
        let queues = TemporaryDirectory()
        let here = try #require(Directory.current)
        let up = here.split(separator: "/").map { _ in ".." }.joined(separator: "/")
        let pipeline = Pipeline(
            sinks: [StoreSink(data.path)], queue: QueueOptions(handleSignals: false, directory: up + queues.path))
        pipeline.logger.info("one")
        #expect(pipeline.drain())
        let ring = try #require(pipeline.ringPath)
        #expect(ring.hasPrefix("/") && RingPointer.rings(in: data.file(".taffrail")) == [ring])
        #expect(pipeline.shutdown())
    }

    /// A sink without a state directory whose writes fail until the test allows them.
    private final class Remote: Sink, Sendable {
        let name = "remote"
        let fails = Locked(true)
        let messages = Locked<[String]>([])
        func write(_ batch: borrowing RecordBatch) throws(SinkError) {
            if fails.withLock({ $0 }) { throw .temporary("configured to fail") }
            batch.forEach { record in
                let message = record.message
                messages.withLock { $0.append(message) }
            }
        }
    }

    private struct Options: PluginOptions { var number = 0 }

    @Test func `a reload with another directory of queues leaves a pointer there for the next run`() throws {
        let queues = TemporaryDirectory()
        for name in ["old", "new"] { mkdir(queues.file(name), 0o700) }
        let remote = Remote()
        var setup = PipelineSetup()
        setup.queue = QueueOptions(handleSignals: false, directory: queues.file("old"))
        let place = PluginInstance(name: "remote", logDirectory: queues.path, program: "test")
        setup.sinks = [PlannedPlugin(place, plugin: "test", options: Options(), builder: .sink { _ in remote })]
        let pipeline = Pipeline(sinks: [], queue: setup.queue)
        try pipeline.change(to: setup)
        pipeline.logger.info("left")
        setup.queue.directory = queues.file("new")
        try pipeline.change(to: setup)
        #expect(waited { RingPointer.rings(in: queues.file("new")).count == 1 })
        #expect(!pipeline.shutdown(timeout: .zero))
        RecoveryRun.awaitUnlocked(queues.file("old"))
        remote.fails.withLock { $0 = false }
        let next = Pipeline(sinks: [remote], queue: setup.queue)
        next.logger.info("next")
        #expect(next.shutdown())
        #expect(remote.messages.withLock { $0 } == ["left", "next"])
        for name in ["old", "new"] {
            #expect(Directory.names(in: queues.file(name)).filter { $0 != "ledger" } == [], "\(name)")
        }
    }

    @Test(arguments: ["", "/", "//"])
    func `the ring's own directory of queues gets no pointer, however it is spelled`(end: String) throws {
        let queues = TemporaryDirectory()
        let ring = try Ring.inFile(
            directory: queues.path, capacity: 4096, start: 0, encoder: "", destination: "", sinks: ["remote"])
        let path = try #require(ring.path)
        var pointers = try #require(RingPointers(to: ring))
        pointers.setNextQueue(queues.path + end)
        pointers.keep(at: 0)
        #expect(queues.names == ["\(ring.run).ring"])
        pointers.setNextQueue(data.path + end)
        #expect(RingPointer.rings(in: data.path) == [path])
        pointers.setNextQueue(nil)
        #expect(RingPointer.rings(in: data.path) == [])
    }

    @Test func `a directory that could not be written at first gets its pointer later`() async throws {
        try data.write("in the way", to: "store")
        let store = LateStore(data.file("store"))
        let pipeline = Pipeline(sinks: [try file(), store], queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("first")
        #expect(pipeline.drain())
        unlink(data.file("store"))
        mkdir(data.file("store"), 0o700)
        #expect(
            await eventually {
                pipeline.logger.info("more")
                return data.names(in: "store/.taffrail").contains { $0.hasSuffix(".at") }
            })
        // The list of them is written next.
        #expect(
            await eventually {
                (try? Directory.entries(of: logs.file(".taffrail")))?.contains { $0.name.hasSuffix(".to") } == true
            })
        // It is created again if it is removed with the directory, here in one step: the writer comes to it at any time.
        #expect(rename(data.file("store/.taffrail"), data.file("removed")) == 0)
        #expect(
            await eventually {
                pipeline.logger.info("more")
                return data.names(in: "store/.taffrail").contains { $0.hasSuffix(".at") }
            })
        #expect(try await blocking { pipeline.shutdown() })
        #expect(data.names(in: "store/.taffrail") == [])
        #expect(try !Directory.entries(of: logs.file(".taffrail")).contains { $0.name.hasSuffix(".to") })
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `a pointer for which a full disk has no room is written once there is some`() async throws {
        let disk = try SmallDisk("64k")
        let state = disk.directory.file(".taffrail")
        mkdir(state, 0o700)
        try disk.fill()
        let pipeline = Pipeline(
            sinks: [try file(), LateStore(disk.directory.path)], queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("first")
        #expect(pipeline.drain())
        #expect(Directory.names(in: state) == [])
        try disk.free()
        #expect(
            await eventually {
                pipeline.logger.info("more")
                return RingPointer.rings(in: state).count == 1
            })
        #expect(try await blocking { pipeline.shutdown() })
        #expect(Directory.names(in: state) == [])
    }

    @Test func `a pointer that has lost its contents is written again`() async throws {
        let store = LateStore(data.path)
        let pipeline = Pipeline(sinks: [try file(), store], queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("first")
        #expect(pipeline.drain())
        let pointer = try #require(pointers.first)
        try data.write("", to: ".taffrail/\(pointer)")
        #expect(
            await eventually {
                pipeline.logger.info("more")
                return RingPointer.rings(in: data.file(".taffrail")).count == 1
            })
        #expect(try await blocking { pipeline.shutdown() })
        #expect(pointers == [])
    }

    /// A sink whose state is in a directory that does not exist yet.
    private final class LateStore: Sink, Sendable {
        let directory: String
        init(_ directory: String) { self.directory = directory }
        var stateDirectory: String? { directory + "/.taffrail" }
        func write(_ batch: borrowing RecordBatch) throws(SinkError) {}
    }

    @Test func `a run that ends leaves no pointer`() throws {
        do {
            let isWritten = try run([file(), StoreSink(data.path)], "one")
            #expect(isWritten)
        }
        #expect(pointers == [] && logs.rings == [])
    }

    @Test func `an old pointer to a missing ring is removed, one into a missing directory stays`() throws {
        mkdir(data.file(".taffrail"), 0o700)
        mkdir(logs.file(".taffrail"), 0o700)
        let stale = "\(RingID(1)).at"
        let unmounted = "\(RingID(2)).at"
        try data.append(logs.file(".taffrail/\(RingID(1)).ring") + "\n", to: ".taffrail/\(stale)")
        try data.append("/nonexistent/.taffrail/\(RingID(2)).ring\n", to: ".taffrail/\(unmounted)")
        for name in [stale, unmounted] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -91 * 86_400)],
                ofItemAtPath: data.file(".taffrail/\(name)"))
        }
        #expect(RingPointer.rings(in: data.file(".taffrail")) == [])
        #expect(pointers == [unmounted])
    }

    @Test func `a pointer of a container that has another directory under the same path stays`() throws {
        mkdir(data.file(".taffrail"), 0o700)
        // The directory exists here as well, without the ring.
        mkdir(logs.file(".taffrail"), 0o700)
        let name = "\(RingID(1)).at"
        try data.append(logs.file(".taffrail/\(RingID(1)).ring") + "\n", to: ".taffrail/\(name)")
        let isWritten = run([StoreSink(data.path)], "of this container")
        #expect(isWritten)
        #expect(pointers.contains(name))
    }

    @Test func `the contents of a pointer are not trusted`() throws {
        mkdir(data.file(".taffrail"), 0o700)
        try data.append("secret", to: "secret")
        try data.append(data.file("secret") + "\n", to: ".taffrail/\(RingID(3)).at")
        try data.append("/etc/passwd", to: ".taffrail/\(RingID(4)).at")
        symlink(data.file("secret"), data.file(".taffrail/\(RingID(5)).at"))
        #expect(RingPointer.rings(in: data.file(".taffrail")) == [])
        #expect(data.text("secret") == "secret")
    }
}

extension TemporaryDirectory {
    /// The names in a directory below, sorted.
    fileprivate func names(in name: String) -> [String] {
        ((try? Directory.entries(of: file(name))) ?? []).map(\.name).sorted()
    }
}
