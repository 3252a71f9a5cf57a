import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Cases that `--verify` counts as a loss or not: intended removal, copies, other rotation, edits.
@Suite(.mayBlock) struct LogVerifierPurposeTests {
    let tests = LogVerifierTests()
    var directory: TemporaryDirectory { tests.directory }

    /// Writes numbered records and keeps some files.
    private func write(_ numbers: ClosedRange<UInt64>, run: UInt64 = 5, keep: Int?) throws {
        let sink = try FileSink(
            FileOptions(
                path: directory.file("app.log"), rotate: RotationOptions(size: .kibibytes(1), keep: keep)))
        for number in numbers {
            var buffer = RecordBuffer(run: RingID(run))
            buffer.append(
                LogRecord(
                    timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(number) * 1_000_000),
                    sequence: number, level: .info, message: "record \(number)"))
            try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
        }
        try sink.close()
    }

    private func prove(_ path: String? = nil) throws -> LogVerifier {
        try #require(LogVerifier.read(paths: [path ?? directory.path]).first)
    }

    private func has(_ text: String, _ proof: LogVerifier) -> Bool { proof.report.contains { $0.contains(text) } }

    @Test func `records that retention deletes are in the ledger first, and are not lost`() throws {
        try write(1...200, keep: 2)
        var proof = try prove()
        #expect(proof.isComplete, "\(proof.report)")
        #expect(has("missing: removed by retention", proof), "\(proof.report)")
        let removals = try Ledger.read(directory: directory.path).removals
        #expect(removals.count > 3)
        #expect(removals.first?.first == 1 && removals.first?.reason == .retention)
        #expect(removals.allSatisfy { $0.file.hasPrefix("app-") && $0.file.hasSuffix(".log") && $0.last != nil })
        // A file that is deleted by hand is one.
        unlink(directory.file(try #require(directory.names.first { $0 != "app.log" })))
        proof = try prove()
        #expect(!proof.isComplete)
        #expect(has("missing: cause unknown", proof) || has("before the oldest file", proof), "\(proof.report)")
    }

    @Test func `a removed line of taffrail log does not hide that a file was deleted by hand`() throws {
        try directory.log(["alone"])
        try write(1...200, keep: 2)
        var proof = try prove()
        #expect(proof.isComplete, "\(proof.report)")
        let removals = try Ledger.read(directory: directory.path).removals
        #expect(removals.contains { $0.run == .none && $0.first != nil })
        unlink(directory.file(try #require(directory.names.first { $0 != "app.log" })))
        proof = try prove()
        #expect(!proof.isComplete, "\(proof.report)")
        #expect(has("before the oldest file", proof), "\(proof.report)")
    }

    @Test func `a removed file whose contents are unknown leaves the gap before the oldest file open`() throws {
        try write(1...200, keep: 2)
        unlink(directory.file(try #require(directory.names.first { $0 != "app.log" })))
        #expect(try !prove().isComplete)
        let log = try #require(LogPath(ofLog: directory.file("app.log")))
        try LedgerFile(directory: log.state).append([
            .removal(
                Ledger.Removal(
                    run: .none, time: .now, reason: .retention, first: nil, last: nil,
                    file: RotatedName.next(at: 1_767_623_400_000, after: nil).text(in: log)))
        ])
        #expect(try prove().isComplete)
    }

    @Test func `files that retention deletes are in the ledger, even if the index cannot be read`() throws {
        let log = try #require(LogPath(ofLog: directory.file("app.log")))
        try log.createState()
        mkdir(log.state + "/index", 0o700)
        let names = (1...2).map { RotatedName.next(at: 1_767_623_400_000 + Int64($0), after: nil) }
        RemovalNote(log: log, reason: .retention).write(names)
        let removals = try Ledger.read(directory: directory.path).removals
        #expect(removals.map(\.file) == names.map { $0.text(in: log) })
        #expect(removals.allSatisfy { $0.run == .none && $0.first == nil && $0.last == nil && $0.reason == .retention })
    }

    @Test func `runs without remaining records because of retention are counted, and not lost`() throws {
        for run in 1...5 as ClosedRange<UInt64> {
            let pipeline = Pipeline(
                sinks: [try FileSink(FileOptions(path: directory.file("app.log"), rotate: RotationOptions(keep: 2)))],
                queue: QueueOptions(handleSignals: false))
            pipeline.logger.info("run \(run)")
            #expect(pipeline.shutdown())
            try FileSink(FileOptions(path: directory.file("app.log"), rotate: RotationOptions(keep: 2))).rotate()
        }
        let proof = try prove()
        #expect(proof.isComplete, "\(proof.report)")
        #expect(has("3 runs with 3 records removed on purpose", proof), "\(proof.report)")
    }

    @Test func `cleared records are not lost, later ones count`() throws {
        let pipeline = Pipeline(
            sinks: [try FileSink(FileOptions(path: directory.file("app.log")))],
            queue: QueueOptions(handleSignals: false))
        for n in 1...10 { pipeline.logger.info("line \(n)") }
        pipeline.logger.clearLog()
        for n in 11...20 { pipeline.logger.info("line \(n)") }
        #expect(pipeline.shutdown())
        var proof = try prove()
        #expect(proof.isComplete, "\(proof.report)")
        #expect(has("1 to 10 missing: removed when the log was cleared", proof), "\(proof.report)")
        let file = try FileDescriptor(directory.file("app.log"), .write)
        try file.truncate(to: 0)
        proof = try prove()
        #expect(!proof.isComplete, "\(proof.report)")
    }

    @Test func `a copy is as complete as its original, even while that is being written`() throws {
        try write(1...200, keep: nil)
        try write(1...30, run: 6, keep: nil)
        #expect(try prove().isComplete)
        let copy = TemporaryDirectory()
        let cp = try Program(["-a", directory.path + "/.", copy.path], of: "/bin/cp")
        #expect(cp.end() == .exited(0))
        var proof = try prove(copy.path)
        #expect(proof.isComplete, "\(proof.report)")
        #expect(has("run 0000000000000005: 1 to 200, 200 lines", proof), "\(proof.report)")
        try copy.log(["more"], rotate: RotationOptions(keep: nil))
        proof = try prove(copy.path)
        #expect(has("run 0000000000000005: 1 to 200, 200 lines", proof), "\(proof.report)")
        #expect(has("run 0000000000000006: 1 to 30, 30 lines", proof), "\(proof.report)")
        // A line of another log does not replace it.
        let lines = copy.lines("app.log")
        unlink(copy.file("app.log"))
        try copy.append(lines.map { $0.replacing("record 2", with: "record 7") + "\n" }.joined(), to: "app.log")
        proof = try prove(copy.path)
        #expect(!proof.isComplete, "\(proof.report)")
    }

    /// Checks that the directory has one complete log with 20 lines of each of the runs 1 to 4.
    private func expectFourRuns() throws {
        let proofs = try LogVerifier.read(paths: [directory.path])
        #expect(proofs.count == 1)
        let proof = try #require(proofs.first)
        #expect(proof.isComplete, "\(proof.report)")
        for run in 1...4 {
            #expect(has("run 000000000000000\(run): 1 to 20, 20 lines in 1 file", proof), "\(proof.report)")
        }
    }

    @Test func `files rotated by logrotate belong to the log`() throws {
        for (number, run) in [3, 2, 1, 0].enumerated() {
            _ = try tests.write(1...20, run: UInt64(run + 1))
            guard run > 0 else { break }
            for older in (1..<4).reversed() {
                for end in ["", ".gz"] {
                    rename(directory.file("app.log.\(older)\(end)"), directory.file("app.log.\(older + 1)\(end)"))
                }
            }
            rename(directory.file("app.log"), directory.file("app.log.1"))
            if number > 0 { try Gzip.compress(directory.file("app.log.2")) }
        }
        #expect(directory.names == ["app.log", "app.log.1", "app.log.2.gz", "app.log.3.gz"])
        try expectFourRuns()
        #expect(try prove(directory.file("app.log.1")).isComplete)
        // One of them is missing.
        unlink(directory.file(try #require(directory.names.last)))
        #expect(try !prove().isComplete || !has("run 0000000000000004", prove()))
    }

    @Test func `files that logrotate has named by dates belong to the log, others with such names do not`() throws {
        let names = ["app.log-20260103", "app.log-2026010414", "app.log-20260105-1767623400"]
        for (index, name) in names.enumerated() {
            _ = try tests.write(1...20, run: UInt64(index + 1))
            rename(directory.file("app.log"), directory.file(name))
        }
        _ = try tests.write(1...20, run: 4)
        for name in ["app.log-20260102", "app.log-20260106"] {
            try directory.append("[2026-01-05 14:37:12.000] [INFO] foreign\n", to: name)
        }
        try Gzip.compress(directory.file(names[0]))
        try Gzip.compress(directory.file(names[2]))
        try expectFourRuns()
        #expect(try prove(directory.file(names[1])).isComplete)
        #expect(try prove(directory.file(names[2] + ".gz")).isComplete)
        #expect(try !prove(directory.file("app.log-20260106")).isComplete)
    }

    @Test func `a rotated file by its name is looked through by itself`() throws {
        try write(1...200, keep: nil)
        let names = directory.names.filter { $0 != "app.log" }
        try Gzip.compress(directory.file(names[1]))
        let compressed = directory.file(names[1] + ".gz")
        var proof = try prove(compressed)
        #expect(proof.isComplete, "\(proof.report)")
        #expect(proof.report.first == compressed + ": complete")
        proof = try prove(directory.file(names[2]))
        #expect(proof.isComplete && proof.report.count == 2, "\(proof.report)")
    }

    @Test(arguments: [DropReason.full, .shed])
    func `a rotated file is complete although its run dropped records before they had numbers`(
        reason: DropReason
    ) throws {
        try write(1...200, keep: nil)
        try LedgerFile(directory: directory.file(".taffrail")).append([
            .drop(
                Ledger.Drop(
                    run: RingID(5), time: .now, reason: reason, sink: "", sequences: nil, count: 3,
                    levels: [.warning: 3]))
        ])
        #expect(try has("3 (warning 3) dropped before they were queued", prove()))
        for name in directory.names where name != "app.log" {
            let proof = try prove(directory.file(name))
            #expect(proof.report.first == directory.file(name) + ": complete", "\(proof.report)")
            #expect(proof.isComplete && proof.report.count == 2, "\(proof.report)")
        }
    }

    @Test func `files that are not logs are ignored, unless given by name`() throws {
        try write(1...20, keep: nil)
        try directory.append("level: info\n", to: "c.yaml")
        #expect(try LogVerifier.read(paths: [directory.path]).count == 1)
        #expect(try !prove(directory.file("c.yaml")).isComplete)
    }

    @Test func `a line that was edited is found, whatever its length`() throws {
        try write(1...100, keep: nil)
        #expect(try prove().isComplete)
        let name = try #require(directory.names.first { $0 != "app.log" })
        let text = directory.text(name)
        unlink(directory.file(name))
        try directory.append(text.replacing("record 3\n", with: "record 8\n"), to: name)
        let proof = try prove()
        #expect(!proof.isComplete)
        #expect(has("\(name): the lines from byte 0 to \(text.utf8.count) have been changed", proof))
        try Gzip.compress(directory.file(name))
        #expect(try has("\(name).gz: the lines from byte 0", prove()))
    }

    @Test func `records in a running program's queue are reported as queued`() throws {
        mkdir(directory.file(".taffrail"), 0o700)
        var ring = CraftedRing(sinks: ["file:app.log"])
        for number in 1...7 { ring.append(LogRecord(level: .info, message: "\(number)")) }
        let path = directory.file(".taffrail/000000000000f11e.ring")
        ring.write(to: path)
        let file = try FileDescriptor(path, .readWrite)
        try FileLock.acquire(file, start: 0, length: 0)
        let proof = LogVerifier(of: try #require(LogPath(ofLog: directory.file("app.log"))))
        #expect(proof.isComplete, "\(proof.report)")
        #expect(has("1 to 7 queued", proof), "\(proof.report)")
    }
}
