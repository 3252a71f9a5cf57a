import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// The verification of logs with their own filter, and of several logs of one run.
@Suite(.mayBlock) struct LogVerifierSinksTests {
    private let directory = TemporaryDirectory()

    /// A configuration with these logs. `errors.log` gets errors only.
    private func setup(_ names: [String], format: FileOptions.Format) -> PipelineSetup {
        .files(names, in: directory, format: format, filters: ["errors.log": SinkFilter(level: .error)])
    }

    private func file(_ name: String, format: FileOptions.Format = .text) throws -> FileSink {
        try FileSink(FileOptions(path: directory.file(name), format: format))
    }

    private func verify(_ name: String) throws -> LogVerifier {
        try #require(LogVerifier.read(paths: [directory.file(name)]).first)
    }

    /// Whether the missing records were filtered, and nothing is lost.
    private func isFiltered(_ proof: LogVerifier) -> Bool {
        proof.isComplete && proof.report.contains { $0.contains("missing: ") && $0.contains("filtered for sink ") }
    }

    @Test(arguments: [FileOptions.Format.text, .json])
    func `records that a log's own filter removed are not lost, while the program runs and afterwards`(
        format: FileOptions.Format
    ) throws {
        let pipeline = Pipeline(
            sinks: [try file("app.log", format: format).filtered(level: .warning)],
            queue: QueueOptions(handleSignals: false))
        for n in 1...90 { pipeline.logger.log(level: n % 3 == 0 ? .error : .info, "\(n)") }
        #expect(pipeline.flush())
        var proof = try verify("app.log")
        #expect(isFiltered(proof), "\(proof.report)")
        #expect(pipeline.shutdown())
        proof = try verify("app.log")
        #expect(isFiltered(proof), "\(proof.report)")
    }

    @Test func `a second log with a filter is complete, and has its own end`() throws {
        let pipeline = Pipeline(
            sinks: [try file("app.log"), try file("errors.log").filtered(level: .error)],
            queue: QueueOptions(handleSignals: false))
        for n in 1...90 { pipeline.logger.log(level: n % 3 == 0 ? .error : .info, "\(n)") }
        #expect(pipeline.flush())
        #expect(isFiltered(try verify("errors.log")))
        #expect(pipeline.shutdown())
        for name in ["app.log", "errors.log"] {
            let proof = try verify(name)
            #expect(proof.isComplete, "\(proof.report)")
        }
        let endings = try Ledger.read(directory: directory.path).endings
        #expect(endings.map(\.destination) == ["app.log", "errors.log"])
        #expect(endings.map(\.sink) == ["file:app.log", "file:errors.log"])
        // Lines that are gone do not hide among those that were filtered.
        let lines = directory.lines("errors.log")
        try directory.rewrite("errors.log", lines.dropLast(2))
        #expect(try !verify("errors.log").isComplete)
    }

    @Test(arguments: [FileOptions.Format.text, .json])
    func `a filtered log that a change removes is complete, while the program runs and afterwards`(
        format: FileOptions.Format
    ) throws {
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(handleSignals: false))
        try pipeline.change(to: setup(["app.log", "errors.log"], format: format))
        for n in 1...90 { pipeline.logger.log(level: n % 3 == 0 ? .error : .info, "\(n)") }
        try pipeline.change(to: setup(["app.log"], format: format))
        var proof = try verify("errors.log")
        #expect(isFiltered(proof), "\(proof.report)")
        #expect(pipeline.shutdown())
        proof = try verify("errors.log")
        #expect(isFiltered(proof), "\(proof.report)")
        let drops = try Ledger.read(directory: directory.path).drops
        #expect(drops.allSatisfy { $0.reason == .filtered && $0.sink == "file:errors.log" }, "\(drops)")
        #expect(drops.reduce(0) { $0 + $1.count } == 60, "\(drops)")
    }

    @Test func `a filtered log whose sink is named by its path is complete after a change removes it`() throws {
        let pipeline = Pipeline(
            sinks: [try file("a/app.log"), try file("b/app.log").filtered(level: .error)],
            queue: QueueOptions(handleSignals: false))
        for n in 1...90 { pipeline.logger.log(level: n % 3 == 0 ? .error : .info, "\(n)") }
        try pipeline.change(to: setup(["a/app.log"], format: .text))
        var proof = try verify("b/app.log")
        #expect(isFiltered(proof), "\(proof.report)")
        #expect(pipeline.shutdown())
        proof = try verify("b/app.log")
        #expect(isFiltered(proof), "\(proof.report)")
        // The log that stays lacks none of these.
        proof = try verify("a/app.log")
        #expect(proof.isComplete && !proof.report.contains { $0.contains("missing") }, "\(proof.report)")
        let drops = try Ledger.read(directory: directory.file("b")).drops
        let name = "file:" + directory.file("b/app.log")
        #expect(drops.allSatisfy { $0.reason == .filtered && $0.sink == name }, "\(drops)")
        #expect(drops.reduce(0) { $0 + $1.count } == 60, "\(drops)")
    }

    @Test func `a sink with a long name is known by the path of its log`() throws {
        let long = String(repeating: "deep/", count: 30) + "app.log"
        let pipeline = Pipeline(
            sinks: [try file("app.log"), try file(long).filtered(level: .error)],
            queue: QueueOptions(handleSignals: false))
        for n in 1...9 { pipeline.logger.log(level: n % 3 == 0 ? .error : .info, "\(n)") }
        try pipeline.change(to: setup(["app.log"], format: .text))
        #expect(pipeline.shutdown())
        let proof = try verify(long)
        #expect(isFiltered(proof), "\(proof.report)")
    }

    @Test func `a filtered log that a change removes is complete, even if the program is killed right after`() throws {
        let program = try Program.subject(["remove-filtered", directory.file("app.log"), directory.file("errors.log")])
        #expect(program.end() == .killed(SIGKILL))
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.left == [] && report.waiting == [] && directory.rings == [])
        var proof = try verify("app.log")
        #expect(proof.isComplete, "\(proof.report)")
        proof = try verify("errors.log")
        #expect(isFiltered(proof), "\(proof.report)")
        let drops = try Ledger.read(directory: directory.path).drops
        #expect(drops.allSatisfy { $0.reason == .filtered && $0.sink == "errors" }, "\(drops)")
        #expect(drops.reduce(0) { $0 + $1.count } == 60, "\(drops)")
    }

    @Test func `a killed program's filter explains the first numbers after the recovery too`() {
        let drop = Ledger.Drop(
            run: RingID(1), time: .now, reason: .filtered, sink: "errors", sequences: nil, count: 4, levels: [:])
        var gaps = GapReport(drops: [drop], unwritten: [])
        gaps.add(missing: 1...2, origin: 2)
        gaps.add(missing: 4...5, origin: 2)
        #expect(gaps.report.map(\.isLoss) == [false])
        #expect(gaps.report.first?.text.contains("4 filtered for sink errors") == true)
        // One more than were filtered.
        gaps.add(missing: 7...7, origin: 2)
        #expect(gaps.report.contains { $0.isLoss })
        var other = GapReport(drops: [drop], unwritten: [])
        other.add(missing: 1...5, origin: 5)
        #expect(other.report.contains { $0.isLoss && $0.text.contains("before the oldest file") })
    }

    @Test func `two logs in different directories are complete, each by its own ledger`() throws {
        let pipeline = Pipeline(
            sinks: [try file("a/app.log"), try file("b/app.log")], queue: QueueOptions(handleSignals: false))
        for n in 1...3 { pipeline.logger.info("\(n)") }
        #expect(pipeline.shutdown())
        let other = Pipeline(
            sinks: [try file("a/app.log"), try file("b/other.log")], queue: QueueOptions(handleSignals: false))
        other.logger.info("x")
        #expect(other.shutdown())
        for path in ["a", "b"] {
            for proof in try LogVerifier.read(paths: [directory.file(path)]) {
                #expect(proof.isComplete, "\(proof.report)")
            }
        }
        let endings = try Ledger.read(directory: directory.file("b")).endings
        #expect(endings.map(\.destination) == ["app.log", "other.log"])
    }
}

extension TemporaryDirectory {
    /// Takes lines out of a file, whose inode stays.
    fileprivate func rewrite(_ name: String, _ lines: some Sequence<String>) throws {
        let file = try FileDescriptor(file(name), [.write, .truncate])
        try file.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }
}
