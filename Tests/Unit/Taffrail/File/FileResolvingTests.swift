import Glibc
import Synchronization
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Deaths in the middle, as they leave things: the intent in its slot, a part of the block in the file, the lock free.
@Suite(.mayBlock) struct FileResolvingTests {
    let directory = TemporaryDirectory()
    let whole = "[2026-01-05 14:30:00.123] [INFO] whole\n"
    let block = "[2026-01-05 14:30:00.123] [INFO] one\n[2026-01-05 14:30:00.123] [INFO] tw"

    var log: LogPath {
        get throws { try #require(LogPath(ofLog: directory.file("app.log"))) }
    }

    /// Leaves the intent of a block after the first line, and the written part of the block.
    func die(_ change: (inout WriteIntent) -> Void = { _ in }) throws {
        try directory.append(whole, to: "app.log")
        let live = try FileDescriptor(directory.file("app.log"), .readWrite)
        var intent = WriteIntent(
            kind: .block, file: live.identity(try live.status()), start: Int64(whole.utf8.count), end: 640,
            run: RingID(7), sinkSlot: 3, text: Array("0007.ring".utf8))
        change(&intent)
        let state = try LogState(of: log)
        intent.store(in: state.slot)
        try directory.append(block, to: "app.log")
    }

    func restart(_ reader: @escaping RingCheckpoint.Reader) throws -> FileSink {
        let sink = try FileSink(
            FileOptions(path: directory.file("app.log"), time: .utc), clock: { ManualClock().nanoseconds },
            readCheckpoint: reader)
        try sink.open()
        let state = try LogState(of: log)
        #expect(!WriteIntent.isPresent(in: state.slot))
        return sink
    }

    func ring(at position: UInt64) throws -> RingCheckpoint.Reader {
        FakeRing(path: directory.file(".taffrail/0007.ring"), position: position).reader
    }

    @Test func `a block that the ring still has is cut off`() throws {
        try die()
        _ = try restart(ring(at: 639))
        #expect(directory.text("app.log") == whole)
    }

    @Test func `a block before the checkpoint stays`() throws {
        try die()
        _ = try restart(ring(at: 640))
        #expect(directory.text("app.log") == whole + block + "\n")
    }

    @Test func `a block whose ring is missing or another run's stays, and its last line is terminated`() throws {
        try die { $0.run = RingID(8) }
        let sink = try restart(ring(at: 0))
        #expect(directory.text("app.log") == whole + block + "\n")
        try sink.write(["next"])
        #expect(directory.lines("app.log").last == "[2026-01-05 14:30:00.123] [INFO] next")
    }

    @Test func `while a ring cannot be read, nothing is written, and the intent stays`() throws {
        try die()
        let isReadable = Locked(false)
        let sink = try FileSink(
            FileOptions(path: directory.file("app.log"), time: .utc), clock: { ManualClock().nanoseconds },
            readCheckpoint: { path, _, _ throws(SystemError) in
                guard isReadable.withLock({ $0 }) else {
                    throw SystemError("open \(path)", code: Errno.inputOutput)
                }
                return 0
            })
        let error = #expect(throws: SinkError.self) { try sink.write(["next"]) }
        #expect(error?.kind == .temporary && error?.taken == 0)
        #expect(error?.reason.contains("open \(directory.file(".taffrail/0007.ring")): Input/output error") == true)
        #expect(directory.text("app.log") == whole + block)
        isReadable.withLock { $0 = true }
        try sink.write(["next"])
        #expect(directory.text("app.log") == whole + "[2026-01-05 14:30:00.123] [INFO] next\n")
    }

    @Test func `a ring elsewhere is identified by its full path`() throws {
        try die { $0.text = Array("/var/lib/x/1.ring".utf8) }
        _ = try restart(FakeRing(path: "/var/lib/x/1.ring", position: 0).reader)
        #expect(directory.text("app.log") == whole)
    }

    @Test func `an intent of another boot is only cleared`() throws {
        try die { $0.boot = BootID(high: 1, low: 2) }
        _ = try restart(ring(at: 0))
        #expect(directory.text("app.log") == whole + block + "\n")
    }

    @Test func `another file under the name is never cut`() throws {
        try die { $0.file.inode += 1 }
        _ = try restart(ring(at: 0))
        #expect(directory.text("app.log") == whole + block + "\n")
        try die { $0.file.birth += 1 }
        _ = try restart(ring(at: 0))
        #expect(directory.text("app.log").hasSuffix(block + "\n"))
    }

    @Test func `a file is found again after its file system got another device number`() throws {
        try die { $0.file.device += 1 }
        _ = try restart(ring(at: 0))
        #expect(directory.text("app.log") == whole)
        try die { intent in
            intent.file.device += 1
            intent.kind = .rotation
            intent.text = Array("app-20260105T143000.000Z-0001.log".utf8)
        }
        link(directory.file("app.log"), directory.file("app-20260105T143000.000Z-0001.log"))
        _ = try restart(ring(at: 0))
        #expect(directory.names == ["app.log"])
    }

    @Test func `a block in a file that another program has renamed since is cut off there`() throws {
        try die()
        rename(directory.file("app.log"), directory.file("app.log.1"))
        let sink = try restart(ring(at: 639))
        try sink.write(["next"])
        #expect(directory.text("app.log.1") == whole)
        #expect(directory.text("app.log") == "[2026-01-05 14:30:00.123] [INFO] next\n")
        try sink.flush()
    }

    @Test func `the device number counts where the birth time is unknown`() {
        let file = FileIdentity(device: 1, inode: 2, birth: 0)
        #expect(file == FileIdentity(device: 1, inode: 2, birth: 0))
        #expect(file != FileIdentity(device: 2, inode: 2, birth: 0))
        #expect(file != FileIdentity(device: 1, inode: 2, birth: 3))
        #expect(FileIdentity(device: 1, inode: 2, birth: 3) == FileIdentity(device: 2, inode: 2, birth: 3))
    }

    @Test func `a file that was cut below the start is not lengthened`() throws {
        try die()
        truncate(directory.file("app.log"), 10)
        _ = try restart(ring(at: 0))
        #expect(directory.size("app.log") == 11)
    }

    @Test func `without a ring a torn last line is removed and complete ones stay`() throws {
        try die { $0.text = [] }
        _ = try restart(ring(at: 0))
        #expect(directory.text("app.log") == whole + "[2026-01-05 14:30:00.123] [INFO] one\n")
    }

    @Test func `without a ring a block of one torn line is cut to its start`() throws {
        try die { $0.text = [] }
        let torn = String(repeating: "x", count: 10_000)
        truncate(directory.file("app.log"), off_t(whole.utf8.count))
        try directory.append(torn, to: "app.log")
        _ = try restart(ring(at: 0))
        #expect(directory.text("app.log") == whole)
    }

    @Test func `a damaged intent is only cleared`() throws {
        try die()
        try {
            let state = try LogState(of: log)
            let byte = state.slot + WriteIntent.offset + 16
            byte.storeBytes(of: ~byte.load(as: UInt8.self), as: UInt8.self)
        }()
        _ = try restart(ring(at: 0))
        #expect(directory.text("app.log") == whole + block + "\n")
    }

    @Test func `an intent reads back as it was written, with the longest text`() throws {
        let state = try LogState(of: log)
        for length in [0, 1, 17, WriteIntent.longestText] {
            let intent = WriteIntent(
                kind: .block, file: FileIdentity(device: 1, inode: .max, birth: -5), start: 9, end: 1 << 60,
                run: RingID(3), sinkSlot: 15, text: (0..<length).map { UInt8(truncatingIfNeeded: $0) })
            intent.store(in: state.slot)
            #expect(WriteIntent(in: state.slot) == intent)
            #expect(WriteIntent(in: state.slot)?.file.device == 1)
        }
    }

    @Test func `a death before the rename leaves the file live`() throws {
        try die { intent in
            intent.kind = .rotation
            intent.text = Array("app-20260105T143000.000Z-0001.log".utf8)
        }
        _ = try restart(ring(at: 0))
        #expect(directory.names == ["app.log"])
    }

    @Test func `a death between the two names of a rename by link leaves one`() throws {
        try die { intent in
            intent.kind = .rotation
            intent.text = Array("app-20260105T143000.000Z-0001.log".utf8)
        }
        link(directory.file("app.log"), directory.file("app-20260105T143000.000Z-0001.log"))
        _ = try restart(ring(at: 0))
        #expect(directory.names == ["app.log"])
        #expect(directory.text("app.log") == whole + block + "\n")
    }

    @Test func `a death after the rename is finished by making the new file`() throws {
        try die { intent in
            intent.kind = .rotation
            intent.text = Array("app-20260105T143000.000Z-0001.log".utf8)
        }
        rename(directory.file("app.log"), directory.file("app-20260105T143000.000Z-0001.log"))
        let sink = try restart(ring(at: 0))
        try sink.write(["new"])
        #expect(directory.names == ["app-20260105T143000.000Z-0001.log", "app.log"])
        #expect(directory.lines("app.log").count == 1)
    }

    @Test func `the checkpoint moves with each block`() throws {
        let ring = FakeRing(path: directory.file(".taffrail/0007.ring"))
        let sink = try restart(ring.reader)
        try sink.write(["a", "b"], checkpoint: ring.checkpoint, start: 1600)
        #expect(ring.position.load(ordering: .relaxed) == 1600 + 2 * 64)
    }

    @Test func `a block whose checkpoint cannot be written is rolled back`() throws {
        let sink = try restart(ring(at: 0))
        try sink.write(["kept"])
        let broken = SinkCheckpoint(ringPath: "/x", run: RingID(7), slot: 3) { _ in false }
        let error = #expect(throws: SinkError.self) { try sink.write(["lost", "too"], checkpoint: broken) }
        #expect(error?.taken == 0)
        #expect(directory.lines("app.log").count == 1)
        try sink.write(["again"])
        #expect(directory.lines("app.log").count == 2)
    }

    @Test func `any number of logs of a directory have their own slots, and that of a missing log is reused`() throws {
        func state(_ name: String) throws -> LogState {
            try LogState(of: #require(LogPath(ofLog: directory.file(name))))
        }
        var states: [LogState] = []
        for number in 0..<128 {
            try directory.append("", to: "log\(number)")
            states.append(try state("log\(number)"))
        }
        for state in states { #expect(try state.isCurrent()) }
        // Each locks its own.
        for state in states { try state.lock() }
        for state in states { state.unlock() }
        // A name keeps its slot, also when one in front of it has become free.
        states[100].slot.storeBytes(of: 77, toByteOffset: StateFile.slotSize - 8, as: UInt64.self)
        unlink(directory.file("log7"))
        let again = try state("log100")
        withExtendedLifetime(again) {
            #expect(again.slot.load(fromByteOffset: StateFile.slotSize - 8, as: UInt64.self) == 77)
        }
        let taken = try state("more")
        #expect(try taken.isCurrent())
        #expect(try !states[7].isCurrent())
        #expect(try states[8].isCurrent())
    }

    @Test func `a ring whose path is too long for an intent is reported once`() throws {
        let said = Locked<[String]>([])
        let sink = try FileSink(
            FileOptions(path: directory.file("app.log")), clock: { ManualClock().nanoseconds },
            notice: { line in said.withLock { $0.append(line) } })
        let path = "/" + String(repeating: "d", count: 700) + "/0007.ring"
        for _ in 0..<3 { try sink.write(["a"], checkpoint: FakeRing(path: path).checkpoint) }
        #expect(said.withLock { $0.filter { $0.contains("exceeds 624 bytes") }.count } == 1)
        try sink.write(["a"], checkpoint: FakeRing(path: "/short/0007.ring").checkpoint)
        #expect(said.withLock { $0.count } == 1)
    }

    @Test(.enabled(if: geteuid() == 0, "unmounting /proc needs root"))
    func `a machine with an unknown boot id is reported once`() throws {
        let subject = try #require(Program.path("TaffrailTestSubject"))
        let arguments = ["subject", "steps", directory.file("app.log"), "log:3", "flush", "log:3", "shutdown"]
        let shell = try Program(
            ["--mount", "sh", "-c", "umount -l /proc && exec \(subject)"], of: "unshare",
            environment: ["SUBJECT_ARGUMENTS": arguments.joined(separator: "|")], errors: directory.file("errors"))
        #expect(shell.readToEnd() == "flush true\nshutdown true")
        #expect(shell.end() == .exited(0))
        #expect(directory.lines("errors").filter { $0.contains("/proc/sys/kernel/random/boot_id") }.count == 1)
        #expect(directory.messages == (1...6).map { "line \($0)" })
    }
}
