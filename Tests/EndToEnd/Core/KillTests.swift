import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// SIGKILL of a program with four logging threads and rotation every 256 KiB, at random times.
@Suite(.heavy, .serialized) struct KillTests {
    /// 100 rounds; 1,000 in the long form.
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 100 : 1000

    @Test func `every acknowledged record is in the log exactly once and whole, however often the program is killed`()
        throws
    {
        let directory = TemporaryDirectory()
        let acknowledged = try flood(rounds: Self.rounds, in: directory)
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.refused == [])
        #expect(report.left == [])
        #expect(report.failure == nil)
        #expect(directory.rings == [])

        let log = FloodLog(directory.logText)
        #expect(log.torn == [])
        #expect(log.doubled == 0)
        #expect(log.misplaced == 0)
        #expect(log.lost(acknowledged: acknowledged) == 0)
        #expect(acknowledged.values.reduce(0, +) > UInt64(Self.rounds) * 100)
    }

    @Test func `each of three sinks has every acknowledged record once, two of them log files of one name`() throws {
        let (first, second, store) = (TemporaryDirectory(), TemporaryDirectory(), TemporaryDirectory())
        var acknowledged: [String: UInt64] = [:]
        for round in 0..<(Self.rounds / 5) {
            let page = try AcknowledgedPage(in: first, round: "t\(round)")
            let subject = try Program.subject(
                ["flood-three", first.file("app.log"), page.path, "t\(round)", second.file("app.log"), store.path],
                environment: ["FLOOD_WAITS": "1"])
            try waitForKill(subject, page, isEarly: round % 4 == 0)
            subject.send(SIGKILL)
            #expect(subject.end() == .killed(SIGKILL))
            acknowledged.merge(page.counts) { $1 }
        }
        let last = Pipeline(
            sinks: [
                try FileSink(FileOptions(path: first.file("app.log"), rotate: RotationOptions(size: nil, keep: nil))),
                try FileSink(FileOptions(path: second.file("app.log"), rotate: RotationOptions(size: nil, keep: nil))),
                StoreSink(store.path),
            ], queue: QueueOptions(handleSignals: false))
        last.begin()
        // It has the queues of killed runs to write, each with a sync.
        #expect(last.shutdown(timeout: .seconds(600)))
        #expect(first.rings == [])
        let stored = StoreSink.messages(in: store.path).map { "[time] [INFO] \($0)" }.joined(separator: "\n")
        for text in [first.logText, second.logText, stored] {
            let log = FloodLog(text)
            #expect(log.torn == [])
            #expect(log.doubled == 0)
            #expect(log.misplaced == 0)
            #expect(log.lost(acknowledged: acknowledged) == 0)
        }
        #expect(acknowledged.values.reduce(0, +) > 1000)
        for directory in [first, second] {
            #expect(try Ledger.read(directory: directory.path).drops.filter { $0.reason == .sinkRemoved } == [])
        }
        #expect(
            ((try? Directory.entries(of: store.file(".taffrail"))) ?? []).filter { $0.name.hasSuffix(".at") }.isEmpty)
    }

    @Test func `the check detects a fault: without resolving intents, lines are torn or duplicated`() throws {
        // The negative control: the result of a recovery that does not truncate the file.
        let directory = TemporaryDirectory()
        var faults = 0
        for round in 0..<40 where faults == 0 {
            let page = try AcknowledgedPage(in: directory, round: "c\(round)")
            let subject = try Program.subject(
                ["flood", directory.path + "/app.log", page.path, "c\(round)"], environment: ["FLOOD_WAITS": "1"])
            try #require(subject.readLine() == "ready")
            stopInsideBlock(subject, directory)
            subject.send(SIGKILL)
            #expect(subject.end() == .killed(SIGKILL))
            // The state file with its note goes; the ring stays.
            unlink(directory.path + "/.taffrail/lock")
            _ = try LogRecovery.recover(directory: directory.path)
            let log = FloodLog(directory.logText)
            faults += log.torn.count + log.doubled
            #expect(log.lost(acknowledged: page.counts) == 0)
        }
        #expect(faults > 0)
    }

    /// Stops the subject repeatedly until that happens while it writes a block, so that its intent is stored.
    private func stopInsideBlock(_ subject: Program, _ directory: TemporaryDirectory) {
        let path = directory.path + "/.taffrail/lock"
        for _ in 0..<20_000 {
            subject.send(SIGSTOP)
            var status: CInt = 0
            waitpid(subject.pid, &status, WUNTRACED)
            if let state = FileManager.default.contents(atPath: path), Self.hasNote(state) { return }
            subject.send(SIGCONT)
        }
    }

    private static func hasNote(_ state: Data) -> Bool {
        var bytes = [UInt8](state)
        return bytes.withUnsafeMutableBytes { raw in
            guard let base = raw.baseAddress else { return false }
            return (0..<StateFile.slotCount).contains { slot in
                (slot + 1) * StateFile.slotSize <= raw.count
                    && WriteIntent.isPresent(in: base + slot * StateFile.slotSize)
            }
        }
    }

    /// Runs rounds of the flood and kills each; every second one so early that it is still starting or recovering.
    private func flood(rounds: Int, in directory: TemporaryDirectory, name: String = "r") throws -> [String: UInt64] {
        var acknowledged: [String: UInt64] = [:]
        for round in 0..<rounds {
            let page = try AcknowledgedPage(in: directory, round: "\(name)\(round)")
            let subject = try Program.subject(
                ["flood", directory.path + "/app.log", page.path, "\(name)\(round)"],
                environment: ["FLOOD_WAITS": "1"])
            try waitForKill(subject, page, isEarly: round % 2 == 1)
            subject.send(SIGKILL)
            #expect(subject.end() == .killed(SIGKILL))
            acknowledged.merge(page.counts) { $1 }
        }
        return acknowledged
    }

    /// Waits until a random moment: an early one may come before the first record, another comes after some, however busy
    /// the machine is.
    private func waitForKill(_ subject: Program, _ page: AcknowledgedPage, isEarly: Bool) throws {
        if !isEarly {
            _ = subject.readLine()
            try page.waitForFirst()
            page.wait(for: .random(in: 0...2_000))
        }
        usleep(.random(in: 500...30_000))
    }
}
