import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite(.mayBlock) struct SpoolLossTests {
    /// A spool with a frame, whose first 50 records are delivered, and in which a record is damaged after that.
    private static func sentInPart(damaging numbers: Int...) throws -> SpoolFixture {
        let fixture = try SpoolFixture()
        try fixture.append(1...100)
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination, options: UploadOptions(records: 50))
        #expect(upload.advance(isEnding: true) == .now && destination.accepted == Array(1...50))
        fixture.spool.close()
        for number in numbers { try fixture.damage("record \(number)") }
        try fixture.reopen()
        return fixture
    }

    /// Sends what a spool has, in batches of a number of records.
    private static func send(_ fixture: SpoolFixture, records: Int = 8192) -> [Int] {
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination, options: UploadOptions(records: records))
        #expect(upload.run() == .idle)
        return destination.accepted
    }

    @Test func `damage in a frame that has been sent in part is noted`() throws {
        let fixture = try Self.sentInPart(damaging: 70)
        #expect(Self.send(fixture) == Array(51...69) + Array(71...100))
        let drop = try #require(fixture.drops.first)
        #expect(fixture.drops.count == 1 && drop.count == 1 && drop.reason == .unreadable)
        #expect(drop.sequences == 51...100 && drop.levels == [.error: 1])
    }

    @Test func `damage in one part of a frame is noted with its level`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...100)
        fixture.spool.close()
        try fixture.damage("record 10")
        try fixture.reopen()
        #expect(Self.send(fixture, records: 50) == Array(1...9) + Array(11...100))
        #expect(fixture.drops.map(\.levels) == [[.error: 1]])
    }

    @Test func `damage in the part of a frame that has been sent loses nothing`() throws {
        let fixture = try Self.sentInPart(damaging: 20)
        #expect(Self.send(fixture) == Array(51...100))
        #expect(fixture.drops.isEmpty)
    }

    @Test(arguments: [1, 7, 10, 100]) func `damage in a frame that is sent in parts is noted once`(part: Int) throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...100)
        fixture.spool.close()
        for number in [10, 11, 50, 100] { try fixture.damage("record \(number)") }
        try fixture.reopen()
        #expect(Self.send(fixture, records: part) == Array(1...9) + Array(12...49) + Array(51...99))
        #expect(fixture.lost(.unreadable) == 4)
        // Once, also in a later run.
        try fixture.reopen()
        #expect(Self.send(fixture).isEmpty && fixture.lost(.unreadable) == 4)
    }

    @Test func `damage is noted once when a run ends in the middle of the frame`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...100)
        fixture.spool.close()
        for number in [10, 70] { try fixture.damage("record \(number)") }
        try fixture.reopen()
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination, options: UploadOptions(records: 49))
        #expect(upload.advance(isEnding: true) == .now && destination.accepted.last == 50)
        #expect(fixture.lost(.unreadable) == 1)
        try fixture.reopen()
        #expect(Self.send(fixture) == Array(51...69) + Array(71...100))
        #expect(fixture.lost(.unreadable) == 2)
    }

    @Test func `a batch in flight keeps its end when a record is damaged`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...100)
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.interrupted) }
        var upload = fixture.upload(to: destination, options: UploadOptions(records: 50))
        #expect(upload.advance(isEnding: true) == .stop)
        fixture.spool.close()
        for number in [50, 51] { try fixture.damage("record \(number)") }
        try fixture.reopen()
        let later = FakeDestination()
        var resumed = fixture.upload(to: later, options: UploadOptions(records: 50))
        #expect(resumed.run() == .idle)
        #expect(later.sent.map(\.numbers) == [Array(1...49), Array(52...100)])
        // Record 50 was in the batch that may have been delivered.
        #expect(fixture.lost(.unreadable) == 1 && fixture.drops.first?.sequences == 51...100)
    }

    @Test func `records of the last segment that expire are noted together`() throws {
        let fixture = try SpoolFixture(age: .hours(1))
        for number in 1...5 { try fixture.append(number...number) }
        fixture.clock.advance(by: .hours(2))
        try fixture.append(6...6)
        #expect(Self.send(fixture) == [6])
        #expect(fixture.drops.count == 1 && fixture.lost(.expired) == 5)
        #expect(fixture.drops.first?.sequences == 1...5)
    }

    @Test func `records that expire are noted apart from damage between them and from another run`() throws {
        let fixture = try SpoolFixture(age: .hours(1))
        for number in 1...5 { try fixture.append(number...number) }
        try fixture.append(1...1, of: RingID(0xABCE))
        fixture.spool.close()
        try fixture.damage("record 3", inHeader: true)
        try fixture.reopen()
        fixture.clock.advance(by: .hours(2))
        try fixture.append(6...6)
        #expect(Self.send(fixture) == [6])
        let drops = fixture.drops
        #expect(drops.map(\.reason) == [.expired, .unreadable, .expired, .expired])
        #expect(drops.map(\.sequences) == [1...2, 3...3, 4...5, 1...1])
    }

    enum Damage: CaseIterable { case deleted, zeroed, middle, start, foreign, empty }

    @Test(arguments: Damage.allCases, [0, 1])
    func `what cannot be read of a segment that is dropped is noted, too`(damage: Damage, segment: Int) throws {
        let fixture = try SpoolFixture(size: .kibibytes(512))
        var next = 1
        while fixture.segments.count < 4 {
            try fixture.append(next...next, length: 15_000)
            next += 1
        }
        let path = fixture.segments[segment]
        func zero(_ offset: Int64) throws {
            try FileDescriptor(updating: path).write([UInt8](repeating: 0, count: 20_000), at: offset)
        }
        switch damage {
        case .deleted: try FileManager.default.removeItem(atPath: path)
        case .zeroed:
            let size = try #require(try FileStatus.of(path)?.size)
            try zero(size - 20_000)
        // Damages the second record, and the header of the frame after it.
        case .middle: try zero(20_000)
        // Damages the segment's header, the first record, and the header of the frame after it.
        case .start: try zero(0)
        case .foreign: try Data("not a segment".utf8).write(to: URL(filePath: path))
        case .empty: try Data().write(to: URL(filePath: path))
        }
        let count = try fixture.spool.dropAll()
        if damage == .zeroed || damage == .middle {
            #expect(count == UInt64(next - 1) && fixture.lost(.deleted) == next - 1)
            return
        }
        if damage == .start { #expect(count == UInt64(next - 2) && fixture.lost(.deleted) == next - 2) }
        let unknown = fixture.drops.filter { $0.sequences == nil }
        #expect(unknown.count == 1 && unknown.first?.count == 1 && unknown.first?.reason == .deleted)
        #expect(unknown.first?.run == SpoolFixture.run)
    }

    @Test func `a segment whose header alone is damaged is noted by its frames`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512))
        var next = 1
        while fixture.segments.count < 3 {
            try fixture.append(next...next, length: 15_000)
            next += 1
        }
        try FileDescriptor(updating: fixture.segments[0]).write([UInt8](repeating: 0, count: 16), at: 0)
        #expect(try fixture.spool.dropAll() == UInt64(next - 1))
        #expect(fixture.lost(.deleted) == next - 1 && fixture.drops.allSatisfy { $0.sequences != nil })
    }

    @Test(arguments: [false, true])
    func `records dropped for lack of space are not counted again after damage before them`(isDropped: Bool) throws {
        let fixture = try SpoolFixture(size: .kibibytes(512), whenFull: .dropNewest)
        var next = 1
        while fixture.drops.isEmpty {
            try fixture.append(next...next, length: 15_000)
            next += 1
        }
        let last = next - 2
        // All in the ledger, and all in one frame.
        for _ in 0..<2 {
            fixture.clock.advance(by: .seconds(1))
            try fixture.append(next...next + 99, length: 1000)
            next += 100
        }
        let numbers = [last + 1...last + 1, last + 2...last + 101, last + 102...last + 201]
        #expect(fixture.drops.map(\.sequences) == numbers.map { UInt64($0.lowerBound)...UInt64($0.upperBound) })
        #expect(fixture.drops.map(\.count) == [1, 100, 100])
        fixture.spool.close()
        try fixture.damage("record \(last).", inHeader: true)
        try fixture.reopen()
        if isDropped {
            #expect(try fixture.spool.dropAll() == UInt64(last) && fixture.lost(.deleted) == last)
        } else {
            #expect(Self.send(fixture) == Array(1..<last) && fixture.lost(.unreadable) == 1)
        }
        #expect(fixture.lost(.overflow) == 201)
    }

    @Test(arguments: [false, true])
    func `damage in the spool of a filtered sink loses no more records than it can contain`(isDropped: Bool) throws {
        let fixture = try SpoolFixture()
        for number in [5, 1000, 2000] { try fixture.append(number...number) }
        fixture.spool.close()
        try fixture.damage("record 1000", inHeader: true)
        try fixture.reopen()
        if isDropped {
            #expect((3...5).contains(try fixture.spool.dropAll()) && (3...5).contains(fixture.lost(.deleted)))
        } else {
            #expect(Self.send(fixture) == [5, 2000])
            #expect(fixture.drops.map(\.sequences) == [6...1999] && (1...3).contains(fixture.lost(.unreadable)))
        }
    }

    @Test func `after a missing segment, numbers that a filter leaves out are not missing`() throws {
        let fixture = try SpoolFixture(size: .mebibytes(4))
        for number in 1...30 { try fixture.append(10 * number...10 * number, length: 60_000) }
        fixture.spool.close()
        try FileManager.default.removeItem(atPath: try #require(fixture.segments.first))
        try fixture.reopen()
        #expect(Self.send(fixture).last == 300)
        #expect(fixture.drops.count == 1 && fixture.lost(.unreadable) == 1)
    }

    @Test func `records dropped for lack of space are counted before a spool is emptied`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512), whenFull: .dropNewest)
        var next = 1
        while fixture.drops.isEmpty {
            try fixture.append(next...next, length: 15_000)
            next += 1
        }
        // Within the second after which the count is added to the ledger.
        try fixture.append(next...next + 99, length: 1000)
        #expect(fixture.lost(.overflow) == 1)
        #expect(try fixture.spool.dropAll() == UInt64(next - 2) && fixture.lost(.overflow) == 101)
    }

    @Test func `damage before a frame that is sent in parts is noted once, also in a later run`() throws {
        let fixture = try SpoolFixture()
        for numbers in [1...1, 2...2, 3...102] { try fixture.append(numbers) }
        fixture.spool.close()
        try fixture.damage("record 2", inHeader: true)
        try fixture.reopen()
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination, options: UploadOptions(records: 50))
        while destination.accepted.last != 52 { try #require(upload.advance(isEnding: true) == .now) }
        #expect(fixture.lost(.unreadable) == 1)
        try fixture.reopen()
        #expect(Self.send(fixture) == Array(53...102) && fixture.lost(.unreadable) == 1)
    }

    @Test func `delivered records of an earlier run are not missing after a wait`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512))
        try fixture.append(1...5)
        #expect(Self.send(fixture) == Array(1...5))
        try fixture.reopen()
        let run = RingID(0xABCE)
        try fixture.append(1...1, of: run)
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        guard case .wait = upload.advance() else { return _ = Issue.record("it does not wait") }
        let count = fixture.segments.count
        var next = 2
        while fixture.segments.count == count {
            try fixture.append(next...next, of: run, length: 15_000)
            next += 1
        }
        #expect(upload.run() == .idle && destination.accepted == Array(1..<next))
        #expect(fixture.drops.isEmpty)
    }

    @Test func `dead letters to send again are counted after a damaged header`() {
        var frame = SpoolFrame(run: SpoolFixture.run, time: 0)
        frame.kind = .again
        frame.add(.error, 5)
        var losses = SegmentLosses(.deleted, header: nil, next: [])
        let position = SpoolPosition(segment: 1, offset: Int64(SpoolSegment.fixedSize))
        losses.add(frame, at: position, from: SpoolPosition())
        #expect(losses.all().map(\.sequences) == [5...5])
    }
}
