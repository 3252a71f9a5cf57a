import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// SIGKILL of a program at named points of writing, rotating, compressing and deleting, which random kills seldom hit.
@Suite(.heavy) struct NamedKillTests {
    /// The numbers are those in `taffrail_points.h`.
    enum Point: Int, CaseIterable {
        case noted = 1
        case written, checkpointed, cleared
        case rotationNoted, renamed, rotated
        case compressed, published, replaced

        /// The action of the program that reaches the point.
        var mode: String { rawValue < Point.compressed.rawValue ? "flood" : "flood-gzip" }

        /// How often each round reaches the point. The first blocks may contain no acknowledged record, on a busy machine.
        var rounds: [Int] { rawValue < Point.rotationNoted.rawValue ? [1, 2, 3, 5, 40] : [1, 2, 3, 5] }
    }

    @Test(arguments: Point.allCases)
    func `every acknowledged record is present once, even if the program is killed at that point`(point: Point) throws {
        let directory = TemporaryDirectory()
        var acknowledged: [String: UInt64] = [:]
        for (round, times) in point.rounds.enumerated() {
            let page = try AcknowledgedPage(in: directory, round: "p\(round)")
            let subject = try Program.subject(
                [point.mode, directory.file("app.log"), page.path, "p\(round)"],
                environment: ["TAFFRAIL_KILL_AT": "\(point.rawValue):\(times)"])
            // A compression, which has a low priority, may take long to come there on a busy machine.
            #expect(waited(seconds: 600) { subject.hasEnded }, "it never came there")
            subject.send(SIGKILL)
            #expect(subject.end() == .killed(SIGKILL))
            acknowledged.merge(page.counts) { $1 }
        }
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.refused == [] && report.left == [] && report.failure == nil)
        #expect(directory.rings == [])
        let sink = try FileSink(
            FileOptions(
                path: directory.file("app.log"),
                rotate: RotationOptions(
                    size: .kibibytes(256), keep: nil, compress: point.mode == "flood" ? nil : .gzip)))
        try sink.open()
        if point.mode == "flood" { try sink.close() } else { try directory.closeCompressed(sink) }
        let files = directory.names.filter { $0.hasPrefix("app-") } + ["app.log"]
        #expect(!files.contains { $0.hasSuffix(".tmp") })
        let text = try Program.run(["-dcf"] + files.map { directory.file($0) }, of: "gzip").output
        let log = FloodLog(text)
        #expect(log.torn == [])
        #expect(log.doubled == 0)
        #expect(log.misplaced == 0)
        #expect(log.lost(acknowledged: acknowledged) == 0)
        #expect(acknowledged.values.reduce(0, +) > 0)
    }

    @Test(arguments: [1, 2, 5])
    func `a file that retention has deleted is in the ledger, even if the program is killed right after`(
        times: Int
    ) throws {
        let directory = TemporaryDirectory()
        let page = try AcknowledgedPage(in: directory, round: "p0")
        let subject = try Program.subject(
            ["flood-kept", directory.file("app.log"), page.path, "p0"],
            environment: ["TAFFRAIL_KILL_AT": "11:\(times)"])
        #expect(waited(seconds: 600) { subject.hasEnded }, "it never came there")
        subject.send(SIGKILL)
        #expect(subject.end() == .killed(SIGKILL))
        #expect(Set(try Ledger.read(directory: directory.path).removals.map(\.file)).count == times)
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.records > 0 && report.left == [] && directory.rings == [])
        let proof = try #require(LogVerifier.read(paths: [directory.path]).first)
        #expect(proof.isComplete && proof.report.contains { $0.contains("removed by retention") }, "\(proof.report)")
    }

    @Test(arguments: [Point.noted, .written, .checkpointed, .cleared])
    func `what a filter and a processor withhold from a log is counted, even if the program is killed at that point`(
        point: Point
    ) throws {
        let directory = TemporaryDirectory()
        let options = FileOptions(
            path: directory.file("app.log"), rotate: RotationOptions(size: .kibibytes(256), keep: nil))
        for times in point.rounds {
            let subject = try Program.subject(
                ["flood-sifted", options.path], environment: ["TAFFRAIL_KILL_AT": "\(point.rawValue):\(times)"])
            #expect(subject.end() == .killed(SIGKILL))
            let next = try SiftedLog.pipeline(options)
            SiftedLog.log(1, to: next.logger)
            #expect(next.shutdown() && directory.rings == [])
        }
        let ledger = try Ledger.read(directory: directory.path)
        #expect(ledger.drops.allSatisfy { $0.reason == .filtered || $0.reason == .processor }, "\(ledger.drops)")
        let withheld = ledger.drops.reduce(0) { $0 + $1.count }
        let records = ledger.endings.reduce(0) { $0 + $1.records }
        #expect(ledger.endings.count == 2 * point.rounds.count)
        #expect(UInt64(directory.logLines.count) + withheld == records)
        let proof = try #require(LogVerifier.read(paths: [directory.path]).first)
        #expect(proof.isComplete, "\(proof.report)")
    }

    @Test func `what clearLog has removed is in the ledger, even if the program is killed right after`() throws {
        let directory = TemporaryDirectory()
        let subject = try Program.subject(
            ["clear", directory.file("app.log")], environment: ["TAFFRAIL_KILL_AT": "12:1"])
        #expect(subject.end() == .killed(SIGKILL))
        #expect(directory.text("app.log") == "")
        let removals = try Ledger.read(directory: directory.path).removals
        #expect(removals.map(\.reason) == [.cleared] && removals.map(\.file) == ["app.log"], "\(removals)")
        #expect(removals.first?.first == 1, "\(removals)")
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.left == [] && directory.rings == [])
        let proof = try #require(LogVerifier.read(paths: [directory.path]).first)
        #expect(
            proof.isComplete && proof.report.contains { $0.contains("removed when the log was cleared") },
            "\(proof.report)")
    }
}
