import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

/// A spool of the size that an outage of weeks leaves, in a process that does nothing else.
@Suite(.heavy) struct LargeSpoolTests {
    private static let isSoak = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] != nil

    /// Of its 1,300 segments the first and the last have records. Those between have a header and a size, but take no
    /// space on the disk: nothing else of them may be needed.
    private static func prepare() throws -> SpoolFixture {
        let fixture = try SpoolFixture(size: .gibibytes(12))
        try fixture.append(1...2)
        var marks = SpoolMarks()
        let end = fixture.spool.position(in: SpoolFixture.run) ?? 0
        marks.set(SpoolMarks.Mark(ring: RingMark(run: SpoolFixture.run, position: end), sequence: 2))
        fixture.spool.close()
        for number: UInt64 in 2...1300 {
            let (segment, _) = try SpoolSegment.create(number, in: fixture.directory, marks: marks, time: 1)
            if number < 1300 { try segment.file.truncate(to: 8 << 20) }
        }
        try fixture.reopen()
        // Almost as much as a segment can have.
        for number in 3...112 { try fixture.append(number...number, length: 60_000) }
        #expect(fixture.spool.bytes > 10 << 30 && fixture.segments.count == 1300)
        fixture.spool.close()
        return fixture
    }

    @Test func `a spool of 10 GiB opens in 64 MiB, and within a second`() throws {
        let fixture = try Self.prepare()
        let opened = try Program.run(["open-spool", fixture.directory], of: "TaffrailTestSubject")
        #expect(opened.code == 0, "\(opened.errors)")
        let values = opened.output.split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
        try #require(values.count == 3, "\(opened.output)")
        print("a spool of 10 GiB: opened in \(values[0] / 1000) µs, \(values[1]) KiB more")
        #expect(values[1] < 64 << 10 && values[2] == 2)
        // How long it takes is asked where nothing else runs.
        if Self.isSoak { #expect(values[0] < 1_000_000_000) }
        // The last segment was read to its end.
        try fixture.reopen()
        #expect(fixture.spool.sequence(in: SpoolFixture.run) == 112)
    }
}
