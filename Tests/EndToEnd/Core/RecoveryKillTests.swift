import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// SIGKILL of the recovery itself.
@Suite(.heavy, .serialized) struct RecoveryKillTests {
    /// 50 rounds; 500 in the long form.
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 50 : 500

    @Test(.enabled(if: isCommandBuilt, "the command has no subcommands without the trait Command"))
    func `a recovery that is killed repeatedly loses, duplicates and tears nothing`() throws {
        let directory = TemporaryDirectory()
        var acknowledged: [String: UInt64] = [:]
        var interrupted = 0
        for round in 0..<Self.rounds {
            // Two dead runs with something in their rings, as the disk was too slow for them.
            if round % 3 == 0 { acknowledged.merge(try flood(directory, "r\(round)")) { $1 } }
            let recovery = try Program(["recover", directory.path], of: "taffrail")
            usleep(UInt32.random(in: 0...30_000))
            recovery.send(SIGKILL)
            if recovery.end() == .killed(SIGKILL) { interrupted += 1 }
        }
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.refused == [] && report.left == [] && report.failure == nil)
        #expect(directory.rings == [])
        let log = FloodLog(directory.logLines)
        #expect(log.torn == [])
        #expect(log.doubled == 0)
        #expect(log.misplaced == 0)
        #expect(log.lost(acknowledged: acknowledged) == 0)
        #expect(interrupted > Self.rounds / 4)
    }

    static var isCommandBuilt: Bool {
        guard let subject = try? Program(["recover", "--help"], of: "taffrail") else { return false }
        _ = subject.readToEnd()
        return subject.end() == .exited(0)
    }

    /// A run that is killed while its sink is blocked, so that its ring is full.
    private func flood(_ directory: TemporaryDirectory, _ name: String) throws -> [String: UInt64] {
        let page = try AcknowledgedPage(in: directory, round: name)
        let subject = try Program.subject(["flood", directory.path + "/app.log", page.path, name])
        _ = subject.readLine()
        // Under this lock the subject cannot write: its queue fills up.
        let path = directory.path + "/.taffrail/lock"
        for _ in 0..<10_000 where access(path, F_OK) != 0 { usleep(500) }
        let state = try FileDescriptor(path, .readWrite)
        try FileLock.acquire(state, start: 0, length: 0)
        var last: [String: UInt64] = [:]
        repeat {
            last = page.counts
            usleep(3000)
        } while page.counts != last
        subject.send(SIGKILL)
        _ = subject.end()
        FileLock.release(state, start: 0, length: 0)
        return page.counts
    }
}
