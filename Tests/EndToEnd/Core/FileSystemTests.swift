import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// The requirements of a log on its file system, on real ones.
@Suite(.heavy, .serialized) struct FileSystemTests {
    /// How often a disk fills up.
    private static let fillings = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 2 : 4

    @Test(arguments: LoopDisk.Kind.allCases)
    func `this machine can mount every kind of disk`(_ kind: LoopDisk.Kind) throws {
        // Not a failure if unsupported: the tests below are then skipped, for this reason.
        if let obstacle = kind.obstacle { try Test.cancel("\(obstacle)") }
    }

    @Test(arguments: LoopDisk.Kind.possible)
    func `a ring is on a disk only if its pages keep their space`(_ kind: LoopDisk.Kind) throws {
        let disk = try LoopDisk(kind)
        func make() throws -> Ring {
            try Ring.inFile(
                directory: disk.directory.path, capacity: 256 << 10, start: 0, encoder: "text", destination: "app.log")
        }
        if kind.isBtrfs {
            #expect(throws: SystemError.self) { try make() }
            #expect(disk.directory.names.allSatisfy { !$0.contains("ring") })
        } else {
            #expect(try make().path != nil)
        }
    }

    @Test(arguments: LoopDisk.Kind.possible)
    func `a program continues on a full disk, and logs again once there is space`(_ kind: LoopDisk.Kind) throws {
        let disk = try LoopDisk(kind)
        let outside = TemporaryDirectory()
        let page = try AcknowledgedPage(in: outside, round: "f")
        let subject = try Program.subject(
            ["flood-kept", disk.directory.path + "/app.log", page.path, "f"], errors: outside.file("errors"))
        try #require(subject.readLine() == "ready")
        try page.waitForFirst()
        for _ in 0..<Self.fillings {
            page.wait(for: 5000)
            try disk.fill()
            page.wait(for: 5000)
            // The writer may come to it late.
            _ = waited(seconds: 10) { outside.text("errors").contains("No space left") }
            #expect(subject.isRunning)
            try disk.free()
            let before = page.counts.values.reduce(0, +)
            #expect(waited { page.counts.values.reduce(0, +) >= before + 5000 || !subject.isRunning })
            #expect(subject.isRunning)
        }
        subject.send(SIGKILL)
        #expect(subject.end() == .killed(SIGKILL))
        #expect(outside.text("errors").contains("No space left"))
        guard !kind.isBtrfs else { return }
        // With a ring on the disk every line is there once. (On btrfs the queue is in memory and ends with the program.)
        let report = try LogRecovery.recover(directory: disk.directory.path)
        #expect(report.refused == [] && report.left == [] && report.failure == nil)
        let log = FloodLog(disk.directory.logText)
        #expect(log.torn == [])
        #expect(log.doubled == 0)
    }

    @Test(arguments: LoopDisk.Kind.possible)
    func `a note, the counts and the start of the live file read back on every disk`(_ kind: LoopDisk.Kind) throws {
        let disk = try LoopDisk(kind)
        let sink = try FileSink(
            FileOptions(path: disk.directory.file("app.log"), rotate: RotationOptions(size: .kibibytes(1))))
        for batch in 0..<20 { try sink.write((0..<9).map { "batch \(batch) line \($0)" }) }
        let log = try #require(LogPath(ofLog: disk.directory.file("app.log")))
        let files = try LogIndex(of: log).files
        #expect(files.count == 6)
        for file in files.dropLast() {
            #expect(file.lines == Int64(disk.directory.lines(file.name!.text(in: log)).count))
        }
    }
}
