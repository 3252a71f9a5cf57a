import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// SIGKILL while files are rotated every 64 KiB and compressed.
@Suite(.heavy, .serialized) struct RotationKillTests {
    /// 30 rounds; 100 in the long form.
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 30 : 100

    let directory = TemporaryDirectory()

    @Test
    func `every acknowledged record is present once, even if the program is killed while it rotates and compresses`()
        throws
    {
        var acknowledged: [String: UInt64] = [:]
        // How many kills fell into a compression, and how many between a rotation's first step and its last.
        var (compressions, rotations) = (0, 0)
        for round in 0..<Self.rounds {
            let page = try AcknowledgedPage(in: directory, round: "z\(round)")
            let subject = try Program.subject(
                ["flood-gzip", directory.path + "/app.log", page.path, "z\(round)"],
                environment: ["FLOOD_WAITS": "1"])
            if round % 4 != 0 { _ = subject.readLine() }
            usleep(UInt32.random(in: 500...60_000))
            if round == Self.rounds - 1 && compressions + rotations == 0 { stopInCompression(subject) }
            subject.send(SIGKILL)
            #expect(subject.end() == .killed(SIGKILL))
            acknowledged.merge(page.counts) { $1 }
            let names = Set(directory.names)
            if names.contains(where: { $0.hasSuffix(".tmp") || names.contains($0 + ".gz") }) { compressions += 1 }
            if !names.contains("app.log") || isRotationNoted() { rotations += 1 }
        }
        #expect(compressions + rotations > 0, "no kill fell into a compression or a rotation")
        // One more run, which recovers, tidies up and compresses the rest.
        _ = try LogRecovery.recover(directory: directory.path)
        let sink = try FileSink(
            FileOptions(
                path: directory.file("app.log"),
                rotate: RotationOptions(size: .kibibytes(64), keep: nil, compress: .gzip)))
        try sink.open()
        try directory.closeCompressed(sink)

        #expect(!directory.names.contains { $0.hasSuffix(".tmp") })
        let files = directory.names.filter { $0.hasPrefix("app-") }
        #expect(files.contains { $0.hasSuffix(".gz") })
        let stems = files.map { $0.hasSuffix(".gz") ? String($0.dropLast(3)) : $0 }
        #expect(Set(stems).count == stems.count)
        let log = FloodLog(try text(files + ["app.log"]))
        #expect(log.torn == [])
        #expect(log.doubled == 0)
        #expect(log.misplaced == 0)
        #expect(log.lost(acknowledged: acknowledged) == 0)
    }

    /// Stops the subject again and again until that happens while it compresses: on a busy machine all other kills may
    /// be too early for that.
    private func stopInCompression(_ subject: Program) {
        let isStopped = waited(seconds: 600) {
            subject.send(SIGSTOP)
            var status: CInt = 0
            waitpid(subject.pid, &status, WUNTRACED)
            if directory.names.contains(where: { $0.hasSuffix(".gz.tmp") }) { return true }
            subject.send(SIGCONT)
            return false
        }
        #expect(isStopped, "it never compressed")
    }

    @Test func `a program that writes next to those that are killed loses and duplicates nothing either`() throws {
        let steady = try Program.subject(["count-small", directory.file("app.log"), "300000", "0"])
        var acknowledged: [String: UInt64] = [:]
        for round in 0..<Self.rounds {
            let page = try AcknowledgedPage(in: directory, round: "b\(round)")
            let subject = try Program.subject(
                ["flood", directory.path + "/app.log", page.path, "b\(round)"], environment: ["FLOOD_WAITS": "1"])
            _ = subject.readLine()
            usleep(UInt32.random(in: 500...30_000))
            subject.send(SIGKILL)
            #expect(subject.end() == .killed(SIGKILL))
            acknowledged.merge(page.counts) { $1 }
        }
        #expect(steady.end() == .exited(0))
        _ = try LogRecovery.recover(directory: directory.path)
        let text = try text(directory.names.filter { $0.hasPrefix("app") })
        let log = FloodLog(text, except: "] [INFO] from 0 n ")
        let isInOrder = log.others == (0..<300_000).map { "\($0)" }
        #expect(isInOrder)
        #expect(log.torn == [])
        #expect(log.doubled == 0)
        #expect(log.lost(acknowledged: acknowledged) == 0)
    }

    /// Whether the dead program was about to rename its file.
    private func isRotationNoted() -> Bool {
        guard let log = LogPath(ofLog: directory.file("app.log")), let state = try? LogState(of: log) else {
            return false
        }
        return withExtendedLifetime(state) { WriteIntent(in: state.slot)?.kind == .rotation }
    }

    private func text(_ names: [String]) throws -> String {
        let result = try Program.run(["-dcf"] + names.map { directory.file($0) }, of: "gzip")
        #expect(result.code == 0)
        return result.output
    }
}
