import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// The proof of completeness by the entries that runs of pipelines leave in index and ledger.
@Suite(.mayBlock) struct LogVerifierLedgerTests {
    private let directory = TemporaryDirectory()

    /// Drops records whose message requests it.
    private struct Dropper: Processor {
        mutating func process(_ record: inout LogRecord) -> Verdict { record.message.hasPrefix("drop") ? .drop : .keep }
    }

    private func file(_ name: String = "app.log", format: FileOptions.Format = .text) throws -> FileSink {
        try FileSink(
            FileOptions(
                path: directory.file(name), rotate: RotationOptions(size: .kibibytes(4), keep: nil), format: format))
    }

    /// Logs in a separate run: the numbers start at 2, after the line that every run starts with.
    private func run(
        _ messages: [String], format: FileOptions.Format = .text, processors: sending [any Processor] = [],
        others: sending [any Sink] = []
    ) throws {
        let pipeline = Pipeline(
            processors: processors, sinks: [try file(format: format)] + others,
            queue: QueueOptions(handleSignals: false), level: .trace)
        for message in messages { pipeline.logger.log(level: message.hasPrefix("drop") ? .debug : .info, "\(message)") }
        #expect(pipeline.shutdown())
    }

    private func prove() throws -> LogVerifier { try #require(LogVerifier.read(paths: [directory.path]).first) }

    private func says(_ text: String, _ proof: LogVerifier) -> Bool {
        !proof.isComplete && proof.report.contains { $0.contains(text) }
    }

    /// Whether it is listed as an intended removal.
    private func lists(_ text: String, _ proof: LogVerifier) -> Bool {
        proof.isComplete && proof.report.first?.hasSuffix("complete, except records removed on purpose") == true
            && proof.report.contains { $0.contains(text) }
    }

    /// Takes lines out of a file with an editor, so to speak.
    private func edit(_ name: String, _ change: ([String]) -> [String]) throws {
        let lines = directory.lines(name)
        let path = directory.file(name)
        let file = try FileDescriptor(path, [.write, .truncate])
        let bytes = Array(change(lines).map { $0 + "\n" }.joined().utf8)
        #expect(bytes.withUnsafeBytes { file.write(all: $0).code } == 0)
    }

    private static let some = (1...200).map { "line \($0)" }

    @Test(arguments: [FileOptions.Format.text, .json])
    func `every record of ended runs is present, or its number is reported`(format: FileOptions.Format) throws {
        try run(Self.some, format: format)
        try run(Self.some, format: format)
        var proof = try prove()
        #expect(proof.isComplete, "\(proof.report)")
        #expect(proof.report.filter { $0.contains("1 to 200, 200 lines in") }.count == 2)
        // The last lines: no later line shows that they are missing, only the ledger does.
        try edit("app.log") { $0.dropLast(2) }
        proof = try prove()
        let text = format == .json ? "199 to 200 missing: cause unknown" : "2 of "
        #expect(says(text, proof), "\(proof.report)")
    }

    @Test func `a missing file is detected, even if it had all of a run or was the whole log`() throws {
        for messages in [["a"], ["b", "c"], ["d"]] {
            try run(messages)
            if messages != ["d"] { try file().rotate() }
        }
        #expect(try prove().isComplete)
        let rotated = directory.names.filter { $0 != "app.log" }
        unlink(directory.file(try #require(rotated.last)))
        var proof = try prove()
        #expect(says("1 to 2 missing: cause unknown", proof), "\(proof.report)")
        for name in directory.names { unlink(directory.file(name)) }
        proof = try prove()
        #expect(proof.report.filter { $0.contains("missing: cause unknown") }.count == 3, "\(proof.report)")
        #expect(try !LogVerifier.read(paths: [directory.file("app.log")])[0].isComplete)
        #expect(throws: LogTail.Refusal.self) { try LogVerifier.read(paths: [directory.file("none.log")]) }
    }

    @Test func `runs that were over before the oldest file are counted`() throws {
        try run(["a", "b"])
        unlink(directory.file("app.log"))
        try run(["c"])
        // No rotation happened: the existing lines start after the other's end.
        let proof = try prove()
        #expect(says("1 run with 2 records missing: before the oldest file", proof), "\(proof.report)")
    }

    @Test(arguments: [FileOptions.Format.text, .json])
    func `drops by processors are reported with the reason, and do not hide a missing line`(
        format: FileOptions.Format
    ) throws {
        try run(["a", "drop", "b", "drop", "c"], format: format, processors: [Dropper()])
        var proof = try prove()
        // The writer may have read them in two batches.
        let isOneNote = lists("2 (debug 2) dropped by processors, among 2 to 4", proof)
        let areTwo = ["among 2", "among 4"].allSatisfy { lists("1 (debug 1) dropped by processors, " + $0, proof) }
        #expect(isOneNote || areTwo, "\(proof.report)")
        #expect(!proof.report.contains { $0.contains("noted") }, "\(proof.report)")
        if format == .json { #expect(lists("2, 4 missing: 2", proof), "\(proof.report)") }
        try edit("app.log") { $0.filter { !$0.contains(format == .json ? "\"b\"" : " b") } }
        proof = try prove()
        let text =
            format == .json ? "1 more missing than recorded as dropped" : "1 of 1 to 5 missing: cause unknown"
        #expect(says(text, proof), "\(proof.report)")
    }

    @Test(
        arguments: [
            (.dropNewest, true), (.dropBelow(.error), true), (.dropBelow(.warning), false), (.block, false),
        ] as [(QueueOptions.WhenFull, Bool)])
    func `records that did not get into the queue are reported by level and reason`(
        whenFull: QueueOptions.WhenFull, isConfigured: Bool
    ) throws {
        let gated = GatedSink()
        let pipeline = Pipeline(
            sinks: [try file(), gated],
            queue: QueueOptions(capacity: 64 << 10, whenFull: whenFull, blockLimit: .zero, handleSignals: false))
        pipeline.logger.info("waits")
        gated.waitForWriter()
        for _ in 0..<2000 { pipeline.logger.warning("\(String(repeating: "x", count: 100))") }
        let dropped = pipeline.queue.control.header?.dropped(.warning) ?? 0
        #expect(dropped > 0)
        gated.open()
        // The run is alive: its ring has the numbers.
        #expect(pipeline.flush() == isConfigured)
        let text = "\(dropped) (warning \(dropped)) dropped before they were queued: no space in the queue"
        let why = isConfigured ? ", as configured by when_full" : ""
        func isReported(_ proof: LogVerifier) -> Bool {
            proof.report.contains { $0.hasSuffix(text + why) }
                && (isConfigured ? lists(text, proof) : says(text, proof))
        }
        var proof = try prove()
        #expect(isReported(proof), "\(proof.report)")
        #expect(pipeline.shutdown())
        proof = try prove()
        #expect(isReported(proof), "\(proof.report)")
    }

    @Test func `records that the user has dropped for the log are no losses`() throws {
        try run(["a"])
        _ = directory.leaveRing(".taffrail", [("file:app.log", directory.file("app.log"), 0)])
        let report = try LogRecovery.recover(directory: directory.path, dropping: ["file:app.log"])
        #expect(report.records == 0 && report.waiting == [] && directory.rings == [])
        let proof = try prove()
        #expect(lists("1 run with 3 records removed on purpose", proof), "\(proof.report)")
    }

    @Test func `a sink of another destination explains nothing, the log's own does`() throws {
        try run(Self.some.prefix(9).map { $0 }, format: .json)
        let ledger = LedgerFile(directory: directory.file(".taffrail"))
        let run = try #require(try Ledger.read(directory: directory.path).endings.first?.run)
        func drop(_ sink: String, _ reason: DropReason, _ numbers: ClosedRange<UInt64>?) -> LedgerEntry {
            .drop(
                Ledger.Drop(
                    run: run, time: .now, reason: reason, sink: sink, sequences: numbers, count: 1, levels: [:]))
        }
        try edit("app.log") { $0.filter { !$0.contains("line 4") && !$0.contains("line 7") } }
        try ledger.append([drop("journald", .refused, 4...4)])
        #expect(says("4, 7 missing: cause unknown", try prove()))
        try ledger.append([drop("file:app.log", .refused, 7...7)])
        var proof = try prove()
        #expect(says("4 missing: cause unknown", proof), "\(proof.report)")
        #expect(says("7 missing: 1 refused by sink file:app.log, among 7", proof), "\(proof.report)")
        try ledger.append([drop("file:app.log", .sinkLagging, nil)])
        proof = try prove()
        #expect(says("4 missing: perhaps 1 dropped while sink file:app.log kept failing", proof), "\(proof.report)")
        #expect(!proof.report.contains { $0.contains("noted") }, "\(proof.report)")
    }

    @Test func `losses of a sink after acceptance do not explain a log's gap`() throws {
        let pipeline = Pipeline(
            sinks: [try file("app.log"), try file("other.log", format: .json)],
            queue: QueueOptions(handleSignals: false))
        for message in Self.some.prefix(9) { pipeline.logger.info("\(message)") }
        #expect(pipeline.shutdown())
        let run = try #require(try Ledger.read(directory: directory.path).endings.first?.run)
        let losses = SinkBook.Loss.allCases.map { loss in
            #expect(loss.reason.rawValue == loss.rawValue)
            return LedgerEntry.drop(
                Ledger.Drop(
                    run: run, time: .now, reason: loss.reason, sink: "spool", sequences: 4...4, count: 1, levels: [:]))
        }
        try LedgerFile(directory: directory.file(".taffrail")).append(losses)
        for log in ["app.log", "other.log"] {
            let proof = try #require(LogVerifier.read(paths: [directory.file(log)]).first)
            #expect(proof.isComplete, "\(proof.report)")
            let lines = proof.report.filter {
                $0.contains("    lost by other sinks: 1 ") && $0.contains(", 1 dropped by sink spool, ")
            }
            #expect(lines.count == 1, "\(proof.report)")
        }
        try edit("other.log") { $0.filter { !$0.contains("line 4") } }
        let proof = try #require(LogVerifier.read(paths: [directory.file("other.log")]).first)
        #expect(says("4 missing: cause unknown", proof), "\(proof.report)")
    }

    @Test(arguments: [FileOptions.Format.text, .json])
    func `records logged while the configuration had no such log are reported`(format: FileOptions.Format) throws {
        func setup(_ names: [String]) -> PipelineSetup { .files(names, in: directory, format: format) }
        let pipeline = Pipeline(sinks: [try file("other.log")], queue: QueueOptions(handleSignals: false))
        func log(_ message: String) {
            pipeline.logger.info("\(message)")
            #expect(pipeline.flush())
        }
        log("1")
        try pipeline.change(to: setup(["app.log", "other.log"]))
        log("2")
        try pipeline.change(to: setup(["other.log"]))
        log("3")
        log("4")
        try pipeline.change(to: setup(["app.log", "other.log"]))
        log("5")
        #expect(pipeline.shutdown())
        let proofs = try LogVerifier.read(paths: [directory.path])
        let proof = try #require(proofs.first)
        #expect(
            lists("1, 3 to 4 missing: logged while this log was not configured", proof), "\(proof.report)")
        #expect(proof.report.count == 3, "\(proof.report)")
        #expect(proofs.last?.isComplete == true, "\(proofs.last?.report ?? [])")
        try edit("app.log") { $0.dropLast() }
        #expect(says("5 missing: cause unknown", try prove()))
    }

    @Test func `a program that keeps logging is never reported to lack records that it is writing`() throws {
        var count = 0
        // A busy machine may look only when a writer has ended.
        for _ in 0..<20 where count == 0 {
            let before = directory.names
            let writer = try Program.subject(["count-small", directory.file("app.log"), "30000", "w"])
            while writer.isRunning && directory.names == before { poll(nil, 0, 1) }
            while writer.isRunning {
                let proof = try prove()
                #expect(proof.isComplete, "\(proof.report)")
                count += 1
                if !proof.isComplete { break }
            }
            #expect(writer.end() == .exited(0))
        }
        #expect(count > 0)
        #expect(try prove().isComplete)
    }
}
