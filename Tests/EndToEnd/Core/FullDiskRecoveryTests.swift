import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// A disk that the rings of killed runs have filled.
@Suite(.mayBlock) struct FullDiskRecoveryTests {
    private static let capacity = 128 << 10

    /// The disk space that a file takes, in bytes.
    private func space(of path: String) -> Int {
        var info = stat()
        return stat(path, &info) == 0 ? Int(info.st_blocks) * 512 : -1
    }

    /// Writes a ring with three records at its end and at its start.
    private func leaveRing(in directory: TemporaryDirectory) throws -> String {
        mkdir(directory.file(".taffrail"), 0o700)
        var ring = CraftedRing(
            capacity: Self.capacity, start: UInt64(Self.capacity) - 128, sinks: ["file:app.log"])
        for n in 1...3 {
            ring.append(
                LogRecord(
                    timestamp: Timestamp(nanoseconds: 1_767_623_500_000_000_000), level: .info, message: "left \(n)"))
        }
        let path = directory.file(".taffrail/\(ring.run).ring")
        ring.write(to: path)
        #expect(space(of: path) > Self.capacity)
        return path
    }

    @Test(arguments: FillableDisk.Kind.possible)
    func `a ring on a full disk gives its free space to the lines of its records`(_ kind: FillableDisk.Kind) throws {
        let disk = try FillableDisk(kind, kibibytes: 512)
        let path = try leaveRing(in: disk.directory)
        try disk.fill()
        let report = try LogRecovery.recover(directory: disk.directory.path)
        #expect(report.refused == [] && report.left == [] && report.failure == nil, "\(report)")
        #expect(access(path, F_OK) != 0)
        #expect(disk.directory.lines("app.log").map { $0.suffix(6) } == ["left 1", "left 2", "left 3"])
    }

    @Test(arguments: FillableDisk.Kind.possible)
    func `free pages are released only where space is short, and the ring's contents stay`(
        _ kind: FillableDisk.Kind
    ) throws {
        let disk = try FillableDisk(kind, kibibytes: 512)
        let path = try leaveRing(in: disk.directory)
        guard case .readable(let ring) = RingFile.open(path) else {
            Issue.record("it is not readable")
            return
        }
        let (contents, before) = (FileManager.default.contents(atPath: path), space(of: path))
        ring.releaseFreePages()
        #expect(space(of: path) == before)
        try disk.fill()
        ring.releaseFreePages()
        #expect(space(of: path) <= before - Self.capacity + 2 * 4096)
        #expect(contents != nil && FileManager.default.contents(atPath: path) == contents)
    }
}
