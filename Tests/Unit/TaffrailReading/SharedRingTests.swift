import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Rings that lie beside another sink, or in a directory of queues, are read for each log that their runs write.
@Suite(.mayBlock) struct SharedRingTests {
    private let directory = TemporaryDirectory()
    private var first: String { directory.file("a/app.log") }
    private var second: String { directory.file("b/second.log") }

    /// Leaves three records in a ring of two logs, of which the second log has one, with pointers beside both.
    private func leaveRing() throws {
        for name in ["a", "b", "a/.taffrail", "b/.taffrail", "queues"] { mkdir(directory.file(name), 0o700) }
        try directory.log(["before"], to: "a/app.log")
        try directory.log(["before"], to: "b/second.log")
        let ring = directory.leaveRing("queues", [("file:app.log", first, 0), ("second", second, 1)])
        for name in ["a", "b"] { try directory.write("\(ring)\n", to: "\(name)/.taffrail/\(CraftedRing().run).at") }
    }

    @Test func `pending records are shown for each log, and with both only once`() throws {
        try leaveRing()
        #expect(try TailOutput([first]).messages.suffix(3) == (1...3).map { "left \($0) taffrail.unrecovered=true" })
        #expect(try TailOutput([second]).messages.suffix(2) == (2...3).map { "left \($0) taffrail.unrecovered=true" })
        #expect(try TailOutput([directory.file("b")]).lines.count == 3)
        #expect(try TailOutput([first, second]).lines.count == 5)
        #expect(try TailOutput([first, second]).problems == [])
    }

    @Test func `pending records are shown even if the log has no file yet`() throws {
        try leaveRing()
        unlink(first)
        #expect(try TailOutput([first]).lines.count == 3)
        #expect(try TailOutput([directory.file("a")]).lines.count == 3)
        #expect(try LogVerifier.read(paths: [directory.file("a")]).count == 1)
    }

    @Test func `verification lists pending records, and the status the queue`() throws {
        try leaveRing()
        for (log, numbers) in [(first, "1 to 3"), (second, "2 to 3")] {
            let report = try #require(LogVerifier.read(paths: [log]).first).report
            #expect(report.contains { $0.contains("\(numbers) in the queue, waiting for recovery") }, "\(report)")
        }
        for name in ["a", "b"] {
            let status = try QueueStatus.read(directory: directory.file(name))
            #expect(status.queues.map(\.sinks.count) == [2] && status.problems == [])
        }
    }

    @Test func `a sink is behind by the records that it lacks, also where no writer has numbered them`() throws {
        try leaveRing()
        let queue = try #require(QueueStatus.read(directory: directory.file("a")).queues.first)
        let behind = queue.sinks.map(\.behind)
        #expect(behind.count == 2 && behind[0] == queue.depth && behind[1] * 3 == behind[0] * 2, "\(behind)")
    }

    @Test func `a ring that is another log's alone is not read`() throws {
        for name in ["b", "b/.taffrail", "queues"] { mkdir(directory.file(name), 0o700) }
        try directory.log(["before"], to: "b/second.log")
        let ring = directory.leaveRing("queues", [("file:second.log", directory.file("c/second.log"), 0)])
        try directory.write("\(ring)\n", to: "b/.taffrail/\(CraftedRing().run).at")
        #expect(try TailOutput([second]).messages == ["before"])
        #expect(try TailOutput([directory.file("b")]).messages == ["before"])
    }

    /// The run's list of the directories with pointers to its ring.
    private func listPointers() throws {
        let states = ["a", "b"].map { directory.file("\($0)/.taffrail") }
        try directory.write(states.joined(separator: "\n") + "\n", to: "queues/\(CraftedRing().run).to")
    }

    private let left = ["before"] + (1...3).map { "left \($0)" }

    @Test func `a recovery beside one log writes nothing of another log into it`() throws {
        try leaveRing()
        let report = try LogRecovery.recover(directory: directory.file("b"))
        #expect(report.records == 0 && report.files == [] && report.left == [])
        #expect(report.waiting.map(\.sink) == ["file:app.log", "second"])
        #expect(report.waiting.map(\.records) == [3, 2])
        #expect(access(directory.file("b/app.log"), F_OK) != 0)
        let lines = ["a/app.log", "b/second.log"].map { directory.lines($0).count }
        #expect(lines == [1, 1])
    }

    @Test func `a recovery beside the first log writes its records, and keeps the ring for the other`() throws {
        try leaveRing()
        let report = try LogRecovery.recover(directory: directory.file("a"))
        #expect(report.records == 3 && report.files == [first])
        #expect(report.waiting.map(\.sink) == ["second"])
        #expect(Directory.names(in: directory.file("queues")).filter { $0.hasSuffix(".ring") }.count == 1)
        #expect(try directory.lines("a/app.log").count == 4 && TailOutput([first]).messages == left)
    }

    @Test(arguments: ["b", "queues"])
    func `a recovery elsewhere finds the first log where the run has written it`(place: String) throws {
        try leaveRing()
        try listPointers()
        let report = try LogRecovery.recover(directory: directory.file(place))
        #expect(report.records == 3 && report.files == [first])
        #expect(report.waiting.map(\.sink) == ["second"])
        #expect(try directory.lines("a/app.log").count == 4 && TailOutput([first]).messages == left)
        #expect(directory.lines("b/second.log").count == 1)
    }

    @Test func `in a directory of queues a ring whose log is unknown is kept`() throws {
        try leaveRing()
        let report = try LogRecovery.recover(directory: directory.file("queues"))
        #expect(report.records == 0 && report.waiting.map(\.sink) == ["file:app.log", "second"])
        #expect(Directory.names(in: directory.file("queues")).filter { $0.hasSuffix(".ring") }.count == 1)
    }

    @Test func `a pointer to a missing directory is reported by all readers, and by a recovery`() throws {
        try leaveRing()
        rename(directory.file("queues"), directory.file("moved"))
        let pointer = "\(CraftedRing().run).at: the queue that it names is missing"
        let output = try TailOutput([second])
        #expect(output.messages == ["before"])
        #expect(output.problems.count == 1 && output.problems.first?.contains(pointer) == true, "\(output.problems)")
        let proof = try #require(LogVerifier.read(paths: [second]).first)
        #expect(!proof.isComplete && proof.report.contains { $0.contains(pointer) })
        #expect(try QueueStatus.read(directory: directory.file("b")).problems.count == 1)
        let report = try LogRecovery.recover(directory: directory.file("b"))
        #expect(report.refused.count == 1 && report.refused.first?.contains(pointer) == true)
        // It stays, because the directory may only not be mounted.
        #expect(access(directory.file("b/.taffrail/\(CraftedRing().run).at"), F_OK) == 0)
    }
}
