import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

/// A spool of the size that an outage of weeks leaves.
@Suite(.heavy) struct LargeSpoolTests {
    private static let isSoak = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] != nil

    /// How many KiB this process has in memory.
    private static var resident: Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    @Test(.enabled(if: LargeSpoolTests.isSoak, "part of make soak"))
    func `a spool of 10 GiB opens within a second, and in 64 MiB`() throws {
        let fixture = try SpoolFixture(size: .gibibytes(12))
        fixture.spool.close()
        // Its segments have a size, but take no room on the disk.
        let count: UInt64 = 1280
        for number in 2...count {
            let (segment, _) = try SpoolSegment.create(number, in: fixture.directory, marks: SpoolMarks(), time: 1)
            try segment.file.truncate(to: 8 << 20)
        }
        try fixture.reopen()
        for number in 1...110 { try fixture.append(number...number, length: 60_000) }
        fixture.spool.close()
        let before = Self.resident
        let start = ContinuousClock.now
        try fixture.reopen()
        let duration = ContinuousClock.now - start
        #expect(fixture.spool.bytes > 10 << 30 && fixture.spool.position(in: SpoolFixture.run) != nil)
        let grown = Self.resident - before
        print("a spool of 10 GiB: opened in \(duration), \(grown) KiB more")
        #expect(duration < .seconds(1) && grown < 64 << 10)
    }
}
