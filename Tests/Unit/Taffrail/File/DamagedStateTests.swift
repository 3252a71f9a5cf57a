import Foundation
import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// State file, index and ledger with random damage, as power loss, a bad disk or a stranger leave them.
@Suite(.mayBlock) struct DamagedStateTests {
    /// 150 rounds for each file; 3,000 in the long form.
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 150 : 3000

    let directory = TemporaryDirectory()

    var log: LogPath {
        get throws { try #require(LogPath(ofLog: directory.file("app.log"))) }
    }

    /// Damages a file in one of the ways in which files are damaged.
    func damage(_ name: String, _ random: inout SeededGenerator) throws {
        let file = try FileDescriptor(directory.file(".taffrail/" + name), [.readWrite, .create])
        let size = try file.status().size
        // Most of the state file consists of free slots.
        let used = name == "lock" ? min(size, 2048) : size
        func put(_ bytes: [UInt8], at offset: Int64) {
            _ = bytes.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, off_t(offset)) }
        }
        switch random.next() % 8 {
        case 0: try file.truncate(to: Int64(random.next() % UInt64(max(1, size))))
        case 1: try file.truncate(to: 0)
        case 2:
            put(
                [UInt8](repeating: 0, count: Int(random.next() % 4096)), at: Int64(random.next() % UInt64(max(1, used)))
            )
        case 3:
            // A word that is a number somewhere: the largest, the smallest, or any.
            let word = [UInt64.max, 0x8000_0000_0000_0000, UInt64(Int64.max), random.next()][Int(random.next() % 4)]
            put(withUnsafeBytes(of: word) { [UInt8]($0) }, at: Int64(random.next() % UInt64(max(1, used))) & ~7)
        case 4:
            let bytes = (0..<Int(random.next() % 512)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            put(bytes, at: Int64(random.next() % UInt64(max(1, used))))
        case 5: put([UInt8(truncatingIfNeeded: random.next())], at: size + Int64(random.next() % 100_000))
        default:
            for _ in 0..<(1 + random.next() % 8) {
                put([UInt8(truncatingIfNeeded: random.next())], at: Int64(random.next() % UInt64(max(1, used))))
            }
        }
    }

    @Test(arguments: ["lock", "index", "ledger"])
    func `random damage crashes nothing, and no line that was written is lost`(_ name: String) throws {
        var random = SeededGenerator(seed: UInt64(name.utf8.count) &* 1_000_003)
        var wanted: [String] = []
        let options = FileOptions(
            path: directory.file("app.log"), rotate: RotationOptions(size: .kibibytes(4), keep: nil))
        let ledger = LedgerFile(directory: directory.path + "/.taffrail")
        var sink = try FileSink(options, clock: { ManualClock().nanoseconds }, notice: { _ in })
        for round in 0..<Self.rounds {
            for batch in 0..<(1 + random.next() % 3) {
                let lines = (0..<(1 + random.next() % 30)).map { "round \(round) batch \(batch) line \($0)" }
                // A damaged state may make one call fail; never may a line be taken and lost.
                var rest = lines[...]
                for _ in 0..<5 where !rest.isEmpty {
                    do throws(SinkError) {
                        try sink.write(Array(rest))
                        rest = []
                    } catch {
                        rest = rest.dropFirst(error.taken)
                    }
                }
                #expect(rest.isEmpty)
                wanted += lines
            }
            try ledger.append([
                .drop(
                    Ledger.Drop(
                        run: RingID(7), time: .now, reason: .full, sink: "file:app.log", sequences: nil,
                        count: UInt64(round), levels: [:]))
            ])
            if random.next() % 3 == 0 { _ = try? sink.rotate() }
            try damage(name, &random)
            if random.next() % 3 == 0 {
                try? sink.close()
                sink = try FileSink(options, clock: { ManualClock().nanoseconds }, notice: { _ in })
            }
            if round % 10 == 0 {
                _ = try? LogIndex(of: log)
                _ = LogVerifier(of: try log).report
                _ = try? ledger.entries()
            }
        }
        let found = directory.messages
        #expect(found == wanted, "\(found.count) of \(wanted.count)")
    }

    @Test func `a count that no file can have is rejected`() throws {
        let sink = try FileSink(FileOptions(path: directory.file("app.log")))
        try sink.write(["a"])
        let state = try LogState(of: log)
        (state.slot + 312).storeBytes(of: 1 << 63, as: UInt64.self)
        try sink.write(["b"])
        #expect(directory.messages == ["a", "b"])
        #expect(state.counts == nil)
    }
}
