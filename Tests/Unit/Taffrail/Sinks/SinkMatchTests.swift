import Glibc
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail

/// Which sinks a ring's records belong to: decided by destination, not by base name.
@Suite(.mayBlock) struct SinkMatchTests {
    private let a = TemporaryDirectory()
    private let b = TemporaryDirectory()

    private func file(_ directory: TemporaryDirectory, _ name: String = "app.log") throws -> FileSink {
        try FileSink(FileOptions(path: directory.file(name)))
    }

    /// A ring with two records next to the log in a directory.
    private func leaveRing(
        _ sinks: [String], in directory: TemporaryDirectory, destination: String = "app.log",
        change: (RingHeader, UInt64) -> Void = { _, _ in }
    ) -> String {
        mkdir(directory.file(".taffrail"), 0o700)
        var ring = CraftedRing(run: RingID(0xA11), sinks: sinks, destination: destination)
        for n in 1...2 { ring.append(LogRecord(level: .info, message: "\(n)")) }
        let second = ring.records[1].position
        ring.withHeader { header in
            header.setLog(slot: 0, encoder: "text", destination: destination)
            change(header, second)
        }
        let path = directory.file(".taffrail/\(ring.run).ring")
        ring.write(to: path)
        return path
    }

    private func recover(_ sinks: [any Sink], in directory: TemporaryDirectory) -> RecoveryRun {
        RecoveryRun(directory.file(".taffrail"), sinks: sinks, isOursOnly: true)
    }

    @Test func `two logs of one base name have each their own position in a ring that has names only`() throws {
        _ = leaveRing(["file:app.log", "file:app.log"], in: a) { header, second in
            header.setPosition(ofSlot: 1, second)
        }
        #expect(recover([try file(a), try file(b)], in: a).isDone)
        #expect(a.messages == ["1", "2"] && b.messages == ["2"])
        #expect(a.rings == [])
    }

    @Test func `whatever the order of the sinks, the log next to the ring gets its own records`() throws {
        _ = leaveRing(["file:app.log"], in: a)
        #expect(recover([try file(b), try file(a)], in: a).isDone)
        #expect(a.messages == ["1", "2"] && b.messages == [])
    }

    @Test func `a sink with another name and the same destination gets its part`() throws {
        let twin = try FileSink(FileOptions(path: b.file("audit.log")), name: "renamed")
        _ = leaveRing(["file:app.log", "audit"], in: a) { header, second in
            header.setPosition(ofSlot: 0, second)
            header.setSink(1, name: "audit", destination: SinkNames.destinationID(of: twin))
        }
        #expect(recover([try file(a), twin], in: a).isDone)
        #expect(a.messages == ["2"])
        #expect(b.lines("audit.log").count == 2)
    }

    @Test func `a log directory that was moved is recovered where it is now`() throws {
        let elsewhere = try file(b)
        _ = leaveRing(["file:app.log"], in: a) { header, _ in
            header.setSink(0, name: "file:app.log", destination: SinkNames.destinationID(of: elsewhere))
        }
        #expect(recover([try file(a)], in: a).isDone)
        #expect(a.messages == ["1", "2"] && b.messages == [])
    }

    /// A ring with two records for the log in a directory, in a directory of queues, with a pointer next to the log.
    private func leaveQueue(of directory: TemporaryDirectory, in queues: TemporaryDirectory) throws -> String {
        let log = try file(directory)
        let path = leaveRing(["file:app.log"], in: directory) { header, _ in
            header.setSink(0, name: "file:app.log", destination: SinkNames.destinationID(of: log))
        }
        let ring = queues.file(FileName.base(of: path))
        rename(path, ring)
        try RingPointer.write(ring: ring, run: RingID(0xA11), in: directory.file(".taffrail"))
        try RingPointer.list([directory.file(".taffrail")], besideRing: ring, RingID(0xA11))
        return ring
    }

    @Test func `a log directory that was moved without the ring is known by the pointer in it`() throws {
        let queues = TemporaryDirectory()
        _ = try leaveQueue(of: a, in: queues)
        rename(a.file(".taffrail"), b.file(".taffrail"))
        #expect(RecoveryRun(queues.path, sinks: [try file(b)], isOursOnly: true).isDone)
        #expect(b.messages == ["1", "2"] && a.messages == [])
        #expect(queues.names == [] && !Directory.names(in: b.file(".taffrail")).contains { $0.hasSuffix(".at") })
    }

    @Test func `a log directory that was copied without the ring gets no part of it`() throws {
        let queues = TemporaryDirectory()
        let ring = try leaveQueue(of: a, in: queues)
        try RingPointer.write(ring: ring, run: RingID(0xA11), in: b.file(".taffrail"))
        #expect(RecoveryRun(queues.path, sinks: [try file(b)], isOursOnly: true).isDone)
        #expect(b.messages == [] && queues.names.contains { $0.hasSuffix(".ring") })
        #expect(RecoveryRun(queues.path, sinks: [try file(a)], isOursOnly: true).isDone)
        #expect(a.messages == ["1", "2"] && queues.names == [])
    }

    @Test func `a pointer that was stored for another sink shows nothing of a log in its directory`() throws {
        let queues = TemporaryDirectory()
        let ring = try leaveQueue(of: a, in: queues)
        try RingPointer.write(ring: ring, run: RingID(0xA11), in: b.file(".taffrail"))
        try RingPointer.list([a.file(".taffrail"), b.file(".taffrail")], besideRing: ring, RingID(0xA11))
        // As if the disk of the log were not mounted.
        unlink(a.file(".taffrail/\(RingID(0xA11)).at"))
        #expect(RecoveryRun(queues.path, sinks: [try file(b)], isOursOnly: true).isDone)
        #expect(b.messages == [] && queues.names.contains { $0.hasSuffix(".ring") })
    }

    @Test func `of a tree that was moved with two logs of one base name, each gets its own part`() throws {
        mkdir(b.file("new"), 0o700)
        let second = try FileSink(FileOptions(path: b.file("new/app.log")))
        let elsewhere = try file(b, "other.log")
        _ = leaveRing(["file:app.log", "file:/old/new/app.log"], in: a) { header, second in
            header.setSink(0, name: "file:app.log", destination: SinkNames.destinationID(of: elsewhere))
            header.setSink(1, name: "file:/old/new/app.log", destination: 7)
            header.setPosition(ofSlot: 1, second)
        }
        #expect(recover([try file(a), second], in: a).isDone)
        #expect(a.messages == ["1", "2"] && a.rings == [])
        #expect(b.lines("new/app.log").count == 1)
    }

    @Test func `of a tree that was moved, a log with another name is known by this name`() throws {
        mkdir(b.file("new"), 0o700)
        let second = try FileSink(FileOptions(path: b.file("new/second.log")))
        _ = leaveRing(["file:app.log", "file:second.log"], in: a) { header, second in
            header.setSink(0, name: "file:app.log", destination: 6)
            header.setSink(1, name: "file:second.log", destination: 7)
            header.setPosition(ofSlot: 1, second)
        }
        #expect(recover([try file(a), second], in: a).isDone)
        #expect(a.messages == ["1", "2"] && a.rings == [])
        #expect(b.lines("new/second.log").count == 1)
    }

    @Test(arguments: ["file:app.log", "audit"])
    func `a log of the same name gets no part of another, even if the runs share a sink`(name: String) throws {
        let store = TemporaryDirectory()
        let log = try file(a)
        _ = leaveRing([name, "store"], in: a) { header, _ in
            header.setSink(0, name: name, destination: SinkNames.destinationID(of: log))
            header.setSink(1, name: "store", destination: SinkNames.destinationID(of: StoreSink(store.path)))
            // Only a program's own files of any name may have moved.
            if name == "audit" { header.setText(896, 64, "ferry") }
        }
        let namesake = try FileSink(FileOptions(path: b.file("app.log")), name: name)
        let run = recover([namesake, StoreSink(store.path)], in: a)
        #expect(run.isDone && b.messages == [] && StoreSink.messages(in: store.path) == ["1", "2"])
        #expect(run.recovery.waiting.map(\.sink) == [name] && run.recovery.waiting.map(\.records) == [2])
        let own = try FileSink(FileOptions(path: a.file("app.log")), name: name)
        #expect(recover([own, StoreSink(store.path)], in: a).isDone)
        #expect(a.messages == ["1", "2"] && a.rings == [] && StoreSink.messages(in: store.path) == ["1", "2"])
    }

    @Test func `a log that its program names itself continues where the configuration puts it`() throws {
        let store = TemporaryDirectory()
        _ = leaveRing(["audit", "store"], in: a) { header, _ in
            header.setSink(0, name: "audit", destination: 7)
            header.setSink(1, name: "store", destination: SinkNames.destinationID(of: StoreSink(store.path)))
        }
        let log = try FileSink(FileOptions(path: b.file("app.log")), name: "audit")
        #expect(recover([log, StoreSink(store.path)], in: a).isDone)
        #expect(b.messages == ["1", "2"] && a.rings == [])
    }

    @Test func `a log that the configuration puts elsewhere gets no part of the one before`() throws {
        let second = try file(b)
        let log = try file(a)
        _ = leaveRing(["file:app.log", "file:/old/app.log"], in: a) { header, _ in
            header.setSink(0, name: "file:app.log", destination: SinkNames.destinationID(of: log))
            header.setSink(1, name: "file:/old/app.log", destination: 7)
        }
        #expect(recover([log, second], in: a).isDone)
        #expect(a.messages == ["1", "2"] && b.messages == [])
    }

    @Test func `records that another program's other sinks lack stay in its ring`() throws {
        let captured = CapturedDiagnostics()
        let path = leaveRing(["file:app.log", "store"], in: a) { header, _ in header.setText(896, 64, "ferry") }
        let run = recover([try file(a)], in: a)
        #expect(a.messages == ["1", "2"] && a.rings.count == 1)
        #expect(run.recovery.waiting.map(\.sink) == ["store"] && run.recovery.waiting.map(\.records) == [2])
        #expect(
            captured.lines(with: path).last == "\(path): 2 records wait for sink store of ferry. To write them, run "
                + "\"taffrail recover \(a.path) --config FILE\" with the configuration that has this sink")
        // Nothing is written twice when its program comes to it.
        let store = TemporaryDirectory()
        #expect(recover([try file(a), StoreSink(store.path)], in: a).isDone)
        #expect(a.messages == ["1", "2"] && StoreSink.messages(in: store.path) == ["1", "2"] && a.rings == [])
    }

    @Test func `a ring whose sinks are no longer configured is kept, and what recovers it is reported`() throws {
        let captured = CapturedDiagnostics()
        let path = leaveRing(["old", "older"], in: a, destination: "")
        #expect(recover([try file(a)], in: a).isDone)
        #expect(a.messages == [] && a.rings.count == 1)
        #expect(
            captured.lines(with: path).last == "\(path) is kept: this configuration does not have its sinks \"old\", "
                + "\"older\". To write the records, run \"taffrail recover \(a.path) --config FILE\" with the "
                + "configuration that had them")
        // Another program's is its own matter.
        let theirs = leaveRing(["old"], in: b, destination: "") { header, _ in header.setText(896, 64, "ferry") }
        #expect(recover([try file(b)], in: b).isDone)
        #expect(captured.lines(with: theirs).isEmpty && b.rings.count == 1)
    }

    @Test func `in a directory that programs share for their rings, each recovers only its own`() throws {
        let theirs = try file(b)
        let path = leaveRing(["file:app.log", "console"], in: a) { header, _ in
            header.setSink(0, name: "file:app.log", destination: SinkNames.destinationID(of: theirs))
        }
        let shared = TemporaryDirectory()
        rename(path, shared.file("0000000000000a11.ring"))
        let console = MemorySink(name: "console")
        let run = RecoveryRun(shared.path, sinks: [try file(a), console], isOursOnly: true)
        #expect(run.isDone && run.recovery.recovered == 0)
        #expect(shared.names.count == 1 && console.messages == [])
        #expect(RecoveryRun(shared.path, sinks: [theirs, console], isOursOnly: true).isDone)
        #expect(shared.names == [] && b.messages == ["1", "2"] && console.messages == ["1", "2"])
    }

    @Test func `logs of one base name have different names in ring and ledger`() throws {
        #expect(
            SinkNames.unique(for: [try file(a), try file(b), MemorySink(), MemorySink()]) == [
                "file:app.log", "file:" + b.file("app.log"), "memory", "memory#2",
            ])
    }

    @Test func `the second of two sinks for one destination is ignored, which is reported`() throws {
        let captured = CapturedDiagnostics()
        symlink(a.path, b.file("link"))
        let again = try FileSink(FileOptions(path: b.file("link/app.log")))
        let store = TemporaryDirectory()
        let pipeline = Pipeline(
            sinks: [try file(a), StoreSink(store.path), again, StoreSink(store.path, name: "other")],
            queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("once")
        #expect(pipeline.shutdown())
        #expect(a.messages == ["once"] && StoreSink.messages(in: store.path) == ["once"])
        #expect(captured.lines(with: a.file("app.log")).count == 1)
        #expect(
            captured.lines(with: "sink other is ignored") == [
                "sink other is ignored: \(store.path) is already written by sink store"
            ])
    }

    @Test(arguments: [false, true]) func `a sink that is given twice gets each record once`(isFirstFiltered: Bool) {
        let captured = CapturedDiagnostics()
        let sink = MemorySink(name: "twice-\(isFirstFiltered)")
        let filtered = sink.filtered(level: .warning)
        let pipeline =
            isFirstFiltered
            ? Pipeline(sinks: [filtered, filtered], queue: QueueOptions(durable: false, handleSignals: false))
            : Pipeline(sinks: [sink, filtered], queue: QueueOptions(durable: false, handleSignals: false))
        pipeline.logger.warning("once")
        #expect(pipeline.shutdown())
        #expect(sink.messages == ["once"])
        #expect(captured.lines(with: "sink \(sink.name) is ignored").count == 1)
    }
}
