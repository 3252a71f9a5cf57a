import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

/// What a sink continues with lies with the position, whether something is sent or not.
@Suite(.mayBlock) struct SpoolKeptTests {
    private static let run = SpoolFixture.run

    private static func entry(_ number: Int, _ records: [Int] = [], of run: RingID = run) -> SpoolEntry {
        SpoolEntry(
            run: run, position: UInt64(number) << 10, sequence: UInt64(number),
            records: records.map { SpoolFixture.record($0, of: run) }, state: Array("state \(number)".utf8))
    }

    private static func state(_ fixture: SpoolFixture) -> String? {
        fixture.spool.keptState.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a state is stored with the position, with and without records`() throws {
        let fixture = try SpoolFixture()
        #expect(Self.state(fixture) == nil)
        for (number, records) in [(1, []), (5, [2, 4]), (6, []), (9, [9]), (12, []), (13, [])] {
            try fixture.spool.append(Self.entry(number, records))
            for _ in 0..<2 {
                #expect(Self.state(fixture) == "state \(number)")
                #expect(fixture.spool.position(in: Self.run) == UInt64(number) << 10)
                #expect(fixture.spool.sequence(in: Self.run) == UInt64(number))
                try fixture.reopen()
            }
        }
        #expect(try fixture.waiting() == [2, 4, 9])
        #expect(fixture.spool.lastTaken?.position == 13 << 10)
        try fixture.spool.keep(Array("another".utf8))
        try fixture.reopen()
        #expect(Self.state(fixture) == "another" && fixture.spool.position(in: Self.run) == 13 << 10)
        #expect(fixture.drops.isEmpty)
    }

    @Test func `the positions of other runs stay`() throws {
        let fixture = try SpoolFixture()
        for run in 1...5 {
            try fixture.spool.append(Self.entry(run * 10, run % 2 == 0 ? [run] : [], of: RingID(UInt64(run))))
        }
        for _ in 0..<2 {
            for run in 1...5 { #expect(fixture.spool.position(in: RingID(UInt64(run))) == UInt64(run) * 10 << 10) }
            try fixture.reopen()
        }
    }

    @Test func `a write that a kill has torn leaves position and state before it`() throws {
        for length in [1, 50, 97, 150] {
            let fixture = try SpoolFixture()
            try fixture.spool.append(Self.entry(3, [1, 2]))
            try fixture.spool.append(Self.entry(4))
            let whole = try #require(FileStatus.of(fixture.segments[0])?.size)
            try fixture.spool.append(Self.entry(7, [5, 6]))
            fixture.spool.close()
            try FileDescriptor(fixture.segments[0], [.readWrite]).truncate(to: whole + Int64(length))
            try fixture.reopen()
            #expect(Self.state(fixture) == "state 4" && fixture.spool.position(in: Self.run) == 4 << 10)
            #expect(try fixture.waiting() == [1, 2])
        }
    }

    @Test func `a torn slot leaves the one before it`() throws {
        let fixture = try SpoolFixture()
        for number in 1...3 { try fixture.spool.append(Self.entry(number)) }
        fixture.spool.close()
        let path = fixture.directory + "/state"
        // Generation 3 is in the second slot.
        try FileDescriptor(path, [.readWrite]).write([0xFF], at: 32 << 10 | 30)
        try fixture.reopen()
        #expect(Self.state(fixture) == "state 2" && fixture.spool.position(in: Self.run) == 2 << 10)
        try fixture.spool.append(Self.entry(4))
        try fixture.reopen()
        #expect(Self.state(fixture) == "state 4")
    }

    @Test func `a state survives its segment, and losses count only what was to be sent`() throws {
        let fixture = try SpoolFixture(size: .mebibytes(1))
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination, options: UploadOptions(delay: .zero))
        var sent: [Int] = []
        for number in 1...60 {
            var entry = Self.entry(number * 3)
            if number % 2 == 0 {
                entry.records = [SpoolFixture.record(number * 3, length: 20_000)]
                sent.append(number * 3)
            }
            try fixture.spool.append(entry)
            while upload.advance() == .now {}
        }
        #expect(destination.accepted == sent)
        #expect(fixture.segments.count == 1)
        try fixture.reopen()
        #expect(Self.state(fixture) == "state 180" && fixture.spool.position(in: Self.run) == 180 << 10)
        #expect(fixture.drops.isEmpty)
        // All that waits is deleted: the state is not.
        try fixture.spool.append(Self.entry(200, [200]))
        #expect(try fixture.spool.dropAll() == 1)
        try fixture.reopen()
        #expect(Self.state(fixture) == "state 200" && fixture.lost(.deleted) == 1)
    }

    @Test func `a full spool drops what was to be sent, and keeps the state`() throws {
        for full in [SpoolOptions.Full.dropOldest, .dropNewest] {
            let fixture = try SpoolFixture(size: .kibibytes(512), whenFull: full)
            for number in 1...60 {
                var entry = Self.entry(number)
                entry.records = [SpoolFixture.record(number, length: 20_000)]
                try fixture.spool.append(entry)
            }
            try fixture.reopen()
            #expect(Self.state(fixture) == "state 60" && fixture.spool.position(in: Self.run) == 60 << 10)
            #expect(fixture.lost(.overflow) > 10)
            #expect(try fixture.waiting().count + fixture.lost(.overflow) == 60, "\(full)")
        }
    }

    @Test func `a spool that is deleted while it is open keeps the state of the program`() throws {
        let fixture = try SpoolFixture()
        try fixture.spool.append(Self.entry(2, [1]))
        try FileManager.default.removeItem(atPath: fixture.directory)
        fixture.clock.advance(by: .seconds(2))
        try fixture.spool.append(Self.entry(3))
        try fixture.reopen()
        #expect(Self.state(fixture) == "state 3" && fixture.spool.position(in: Self.run) == 3 << 10)
        #expect(fixture.lost(.deleted) == 1)
    }

    @Test func `a damaged frame is read again by the queue, as a whole`() throws {
        let fixture = try SpoolFixture()
        try fixture.spool.append(Self.entry(3, [3]))
        try fixture.spool.append(Self.entry(4, [4]))
        fixture.spool.close()
        let size = try #require(FileStatus.of(fixture.segments[0])?.size)
        // In the state at the end of the last frame: the frame is not torn.
        try FileDescriptor(fixture.segments[0], [.readWrite]).write([0xFF], at: size - 5)
        try fixture.reopen()
        #expect(Self.state(fixture) == "state 3")
        #expect(fixture.spool.position(in: Self.run) == 3 << 10)
    }

    @Test
    func `after a power loss a state that is newer than the frames does not count, also when the spool has grown`()
        throws
    {
        let fixture = try SpoolFixture()
        try fixture.spool.append(Self.entry(3, [3]))
        fixture.spool.close()
        let older = try Data(contentsOf: URL(filePath: fixture.segments[0]))
        try fixture.reopen()
        try fixture.spool.append(Self.entry(6, [6]))
        // Both slots.
        for number in 7...8 { try fixture.spool.append(Self.entry(number)) }
        fixture.spool.close()
        try older.write(to: URL(filePath: fixture.segments[0]))
        try fixture.reopen()
        #expect(Self.state(fixture) == "state 3" && fixture.spool.position(in: Self.run) == 3 << 10)
        // The queue offers the rest again.
        for (number, records) in [(6, [6]), (20, [20])] { try fixture.spool.append(Self.entry(number, records)) }
        try fixture.reopen()
        #expect(Self.state(fixture) == "state 20" && fixture.spool.position(in: Self.run) == 20 << 10)
        #expect(try fixture.waiting() == [3, 6, 20])
    }

    @Test func `a state that is too long is refused before any of it is written`() throws {
        let fixture = try SpoolFixture()
        try fixture.spool.append(Self.entry(3, [3]))
        var long = Self.entry(5, [5])
        long.state = [UInt8](repeating: 0x61, count: 24 << 10 | 1)
        #expect { try fixture.spool.append(long) } throws: { ($0 as? SinkError)?.kind == .permanent }
        #expect { try fixture.spool.keep(long.state) } throws: { ($0 as? SinkError)?.kind == .permanent }
        try fixture.reopen()
        #expect(Self.state(fixture) == "state 3" && fixture.spool.position(in: Self.run) == 3 << 10)
        long.state.removeLast()
        try fixture.spool.append(long)
        try fixture.spool.append(Self.entry(6))
        try fixture.reopen()
        #expect(Self.state(fixture) == "state 6")
        #expect(try fixture.waiting() == [3, 5])
    }
}
