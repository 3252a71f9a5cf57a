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
        let log = FloodLog(directory.logText)
        #expect(log.torn == [])
        #expect(log.doubled == 0)
        #expect(log.misplaced == 0)
        #expect(log.lost(acknowledged: acknowledged) == 0)
        #expect(interrupted > Self.rounds / 4)
    }

    @Test func `a recovery for four sinks that is killed repeatedly loses, duplicates and tears nothing`() throws {
        let (first, second) = (TemporaryDirectory(), TemporaryDirectory())
        let (store, stutters) = (TemporaryDirectory(), TemporaryDirectory())
        let sinks = [second.file("app.log"), store.path, stutters.path]
        var acknowledged: [String: UInt64] = [:]
        var interrupted = 0
        for round in 0..<Self.rounds {
            if round % 5 == 0 {
                let name = "r\(round)"
                // The sinks before the blocked one have what those after it lack.
                let blocked = round % 2 == 0 ? first : second
                let counts = try flood(first, name, ["flood-four"], sinks, blocking: blocked)
                acknowledged.merge(counts) { $1 }
            }
            // Also one that serves only one of the four.
            let isByCommand = round % 5 == 3 && Self.isCommandBuilt
            let recovery =
                isByCommand
                ? try Program(["recover", first.path], of: "taffrail", errors: "/dev/null")
                : try Program.subject(
                    ["recover-four", first.file("app.log"), "", ""] + sinks, errors: "/dev/null")
            usleep(UInt32.random(in: 0...60_000))
            recovery.send(SIGKILL)
            if recovery.end() == .killed(SIGKILL) { interrupted += 1 }
        }
        let last = try Program.subject(
            ["recover-four", first.file("app.log"), "", ""] + sinks, errors: first.file("errors"))
        #expect(last.end() == .exited(0), "\(first.text("errors"))")
        #expect(first.rings == [], "\(first.text("errors"))")
        let stored = [store, stutters].map { directory in
            StoreSink.messages(in: directory.path).map { "[time] [INFO] \($0)" }.joined(separator: "\n")
        }
        for (name, text) in zip(["file", "store", "stutters"], [first.logText] + stored) {
            let log = FloodLog(text)
            #expect(log.torn == [], "\(name)")
            #expect(log.doubled == 0 && log.misplaced == 0, "\(name)")
            #expect(log.lost(acknowledged: acknowledged) == 0, "\(name)")
        }
        let filtered = FloodLog(second.logText)
        #expect(filtered.torn == [])
        #expect(filtered.doubled == 0 && filtered.misplaced == 0)
        #expect(filtered.lost(acknowledged: acknowledged.filter { $0.key.hasSuffix("/1") }) == 0)
        #expect(filtered.isOnly(thread: 1))
        for directory in [first, second] {
            let drops = try Ledger.read(directory: directory.path).drops
            #expect(
                drops.allSatisfy { $0.reason == .filtered && $0.sink == "file:" + second.file("app.log") }, "\(drops)")
        }
        #expect(acknowledged.values.reduce(0, +) > 1000)
        #expect(interrupted > Self.rounds / 4)
    }

    static var isCommandBuilt: Bool {
        guard let subject = try? Program(["recover", "--help"], of: "taffrail") else { return false }
        _ = subject.readToEnd()
        return subject.end() == .exited(0)
    }

    /// A run that is killed while a sink is blocked, so that its ring is full.
    ///
    /// - Parameter blocked: The directory of that sink; `nil`: the same.
    private func flood(
        _ directory: TemporaryDirectory, _ name: String, _ mode: [String] = ["flood"], _ sinks: [String] = [],
        blocking blocked: TemporaryDirectory? = nil
    ) throws -> [String: UInt64] {
        let page = try AcknowledgedPage(in: directory, round: name)
        let subject = try Program.subject(
            mode + [directory.path + "/app.log", page.path, name] + sinks, environment: ["FLOOD_WAITS": "1"])
        _ = subject.readLine()
        // From then on it has a ring.
        try page.waitForFirst()
        // Under this lock the subject cannot write: its queue fills up.
        let path = (blocked ?? directory).path + "/.taffrail/lock"
        try #require(waited { access(path, F_OK) == 0 })
        let state = try FileDescriptor(path, .readWrite)
        try FileLock.acquire(state, start: 0, length: 0)
        // More than there is room for.
        page.wait(for: 1_000_000)
        subject.send(SIGKILL)
        _ = subject.end()
        FileLock.release(state, start: 0, length: 0)
        return page.counts
    }
}
