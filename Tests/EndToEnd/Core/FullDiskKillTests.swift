import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// SIGKILL of a program whose disk fills up and gets room again.
@Suite(.heavy, .serialized) struct FullDiskKillTests {
    /// 12 rounds; 200 in the long form. Fewer on a disk that is slow to fill, and has room for few.
    private static func rounds(_ kind: FillableDisk.Kind) -> Int {
        let isLong = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] != nil
        return kind == .tmpfs ? isLong ? 200 : 12 : isLong ? 50 : 6
    }

    /// One run of the flood.
    private struct Run {
        let name: String
        let acknowledged: UInt64
        let dropped: UInt64
    }

    /// Starts the flood, lets `during` fill the disk and free space, and kills it.
    ///
    /// - Parameter during: It is given a function that waits until a random number of records more, in the range `some`,
    ///   has been logged.
    private func run(
        _ mode: String, on disk: FillableDisk, _ name: String, some: ClosedRange<UInt64>,
        during: (_ someMore: () -> Void) throws -> Void
    ) throws -> Run {
        let directory = disk.directory
        let pages = TemporaryDirectory()
        let page = try AcknowledgedPage(in: pages, round: name)
        let before = Set(directory.rings)
        let subject = try Program.subject(
            [mode, directory.path + "/app.log", page.path, name], errors: pages.file("errors"))
        try #require(subject.readLine() == "ready")
        // Its ring has its room from the first record on; without a ring nothing would survive.
        try page.waitForFirst()
        try during { page.wait(for: UInt64.random(in: some)) }
        subject.send(SIGKILL)
        // Anything else would be a separate crash.
        #expect(subject.end() == .killed(SIGKILL))
        let ring = directory.rings.first { !before.contains($0) }
        let header =
            ring.flatMap { FileManager.default.contents(atPath: directory.path + "/.taffrail/" + $0) } ?? Data()
        var dropped: UInt64 = 0
        for offset in stride(from: 128, to: 128 + 7 * 8, by: 8) where header.count >= RingHeader.length {
            dropped += header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        }
        return Run(name: name, acknowledged: page.counts.values.reduce(0, +), dropped: dropped)
    }

    @Test(arguments: FillableDisk.Kind.allCases)
    func `this machine can mount every kind of disk`(_ kind: FillableDisk.Kind) throws {
        // Not a failure where it cannot: the tests below are left out then, and here is why.
        if let obstacle = kind.obstacle { try Test.cancel("\(obstacle)") }
    }

    @Test(arguments: FillableDisk.Kind.possible)
    func `a record that is neither in the log nor counted as dropped was never acknowledged`(
        _ kind: FillableDisk.Kind
    ) throws {
        let disk = try FillableDisk(kind, kibibytes: 1536)
        var runs: [Run] = []
        for round in 0..<Self.rounds(kind) {
            runs.append(
                try run("flood", on: disk, "s\(round)", some: 100...8_000) { someMore in
                    someMore()
                    guard round % 2 == 1 else { return }
                    try disk.fill()
                    someMore()
                    guard round % 4 == 3 else { return }
                    try disk.free()
                    someMore()
                })
            try disk.free()
            // Room for the next ring and what the last one has.
            try disk.addRoom(kibibytes: 1024)
        }
        try expectNothingLeft(disk)
        let log = FloodLog(disk.directory.logText)
        #expect(log.torn == [])
        #expect(log.doubled == 0)
        for run in runs {
            let found = log.found(round: run.name)
            #expect(found + run.dropped >= run.acknowledged, "\(run), found \(found)")
            // A call of each thread may have been on its way.
            #expect(found + run.dropped <= run.acknowledged + 4, "\(run), found \(found)")
            // Each thread's lines are in their order, and what is missing between them was dropped.
            #expect(log.leftOut(round: run.name) <= run.dropped, "\(run), found \(found)")
        }
        #expect(runs.contains { $0.dropped > 0 })
    }

    @Test(arguments: FillableDisk.Kind.possible)
    func `with old files deleted as space varies, nothing is torn or duplicated, and the ring is drained`(
        _ kind: FillableDisk.Kind
    ) throws {
        let disk = try FillableDisk(kind, kibibytes: 1024)
        var runs: [Run] = []
        for round in 0..<Self.rounds(kind) {
            runs.append(
                try run("flood-kept", on: disk, "k\(round)", some: 50...2_000) { someMore in
                    // The disk has room for this run's ring and one more.
                    for _ in 0..<1_500 where disk.directory.rings.count > 1 { poll(nil, 0, 20) }
                    for _ in 0..<3 {
                        someMore()
                        try disk.fill()
                        someMore()
                        try disk.free()
                    }
                    if round % 2 == 0 { try disk.fill() }
                    someMore()
                })
            try disk.free()
        }
        try expectNothingLeft(disk)
        let log = FloodLog(disk.directory.logText, isWhole: false)
        #expect(log.torn == [])
        #expect(log.doubled == 0)
        let oldest = try #require(runs.firstIndex { $0.name == log.oldestRound })
        for (number, run) in runs.enumerated() {
            // After the oldest line that is kept, what is missing between lines was dropped.
            let (found, leftOut) = (log.found(round: run.name), log.leftOut(round: run.name))
            #expect(leftOut <= run.dropped, "\(run), found \(found), left out \(leftOut)")
            guard number > oldest else { continue }
            #expect(found + run.dropped >= run.acknowledged, "\(run), found \(found)")
            #expect(found + run.dropped <= run.acknowledged + 4, "\(run), found \(found)")
        }
        // The last run's records are what the disk has room for.
        #expect(log.found(round: "k\(Self.rounds(kind) - 1)") > 0)
    }

    private func expectNothingLeft(_ disk: FillableDisk) throws {
        let report = try LogRecovery.recover(directory: disk.directory.path)
        #expect(report.refused == [] && report.left == [] && report.failure == nil, "\(report)")
        #expect(disk.directory.rings == [])
    }
}
