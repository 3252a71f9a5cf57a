import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite(.mayBlock) struct SpoolTests {
    @Test func `records wait in order, and so does the position of their run, also for the next run`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...3)
        let end = try fixture.append(4...10)
        let other = try fixture.append(1...2, of: RingID(7))
        for _ in 0..<3 {
            #expect(try fixture.waiting() == Array(1...10) + [1, 2])
            #expect(fixture.spool.position(in: SpoolFixture.run) == end)
            #expect(fixture.spool.position(in: RingID(7)) == other)
            #expect(fixture.spool.position(in: RingID(8)) == nil)
            try fixture.reopen()
        }
        #expect(fixture.drops.isEmpty)
    }

    @Test func `a record keeps its fields`() throws {
        let fixture = try SpoolFixture()
        var record = SpoolFixture.record(1)
        record.eventName = "geo.location"
        record.logger = "net.http"
        record.source = LogRecord.SourceLocation(file: "A/B.swift", function: "f()", line: 7)
        record.attributes = [LogValueEntry("a", [1, 2.5, "x"]), LogValueEntry("b", .bytes([0, 255]))]
        var buffer = RecordBuffer(run: SpoolFixture.run)
        buffer.append(record)
        try buffer.withBatch { batch throws(SinkError) in try fixture.spool.append(batch) }
        try fixture.reopen()
        var found: [LogRecord] = []
        try SpoolInspection(fixture.directory).forEach { found.append(LogRecord($0)) }
        #expect(found == [record])
    }

    @Test func `a spool in many segments is opened by the last one, and keeps the positions of the others`() throws {
        let fixture = try SpoolFixture(size: .mebibytes(4))
        let first = try fixture.append(1...2, of: RingID(1))
        for number in 1...40 { try fixture.append(number...number, length: 60_000) }
        #expect(fixture.segments.count >= 4)
        try fixture.reopen()
        #expect(fixture.spool.position(in: RingID(1)) == first)
        #expect(try fixture.waiting() == [1, 2] + Array(1...40))
    }

    @Test func `a spool of 10 GiB is opened by its last segment, and what comes is added`() throws {
        let fixture = try SpoolFixture(size: .gibibytes(16))
        try fixture.append(1...2)
        fixture.spool.close()
        let first = try Data(contentsOf: URL(filePath: fixture.segments[0]))
        // Sparse files: nothing of them may be needed but their sizes.
        for number in 2...1279 {
            let path = SpoolSegment.path(UInt64(number), in: fixture.directory)
            let file = try FileDescriptor(creating: path)
            try file.truncate(to: 8 << 20)
        }
        var marks = SpoolMarks()
        marks.set(SpoolMarks.Mark(ring: RingMark(run: RingID(9), position: 77), sequence: 5))
        _ = try SpoolSegment.create(1280, in: fixture.directory, marks: marks, time: 0)
        try fixture.reopen()
        #expect(fixture.spool.bytes > 1278 * (8 << 20) && fixture.segments.count == 1280)
        #expect(fixture.spool.position(in: RingID(9)) == 77)
        let end = try fixture.append(3...4)
        #expect(fixture.spool.position(in: SpoolFixture.run) == end)
        #expect(try Data(contentsOf: URL(filePath: fixture.segments[0])) == first)
    }

    @Test func `what a kill leaves of a write is cut off, at every length`() throws {
        let fixture = try SpoolFixture()
        let end = try fixture.append(1...2)
        let path = try #require(fixture.segments.last)
        let whole = try Data(contentsOf: URL(filePath: path))
        try fixture.append(3...4)
        let torn = try Data(contentsOf: URL(filePath: path))
        for length in whole.count..<torn.count {
            fixture.spool.close()
            try torn.prefix(length).write(to: URL(filePath: path))
            try fixture.reopen()
            #expect(fixture.spool.position(in: SpoolFixture.run) == end, "\(length)")
            #expect(try fixture.waiting() == [1, 2], "\(length)")
        }
        // The queue offers the batch again.
        try fixture.append(3...4)
        try fixture.reopen()
        #expect(try fixture.waiting() == [1, 2, 3, 4])
        #expect(fixture.drops.isEmpty)
    }

    @Test func `a segment without a complete header is no obstacle`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...2)
        fixture.spool.close()
        for length in [0, 1, 47] {
            try Data(count: length).write(
                to: URL(filePath: fixture.directory + "/" + SpoolSegment.name(UInt64(50 + length))))
        }
        try fixture.reopen()
        let end = try fixture.append(3...4)
        #expect(try fixture.waiting() == [1, 2, 3, 4])
        try fixture.reopen()
        #expect(fixture.spool.position(in: SpoolFixture.run) == end)
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == [1, 2, 3, 4])
        #expect(fixture.drops.isEmpty)
    }

    @Test func `one process at a time has it open`() throws {
        let fixture = try SpoolFixture()
        let other = Spool(fixture.options)
        #expect(throws: SinkError.self) { try other.open() }
        fixture.spool.close()
        try other.open()
        other.close()
    }

    @Test func `one process at a time has it open, also when its lock file is deleted`() throws {
        let fixture = try SpoolFixture()
        try FileManager.default.removeItem(atPath: fixture.directory + "/lock")
        let other = Spool(fixture.options)
        #expect(throws: SinkError.self) { try other.open() }
        fixture.spool.close()
        try other.open()
        other.close()
    }

    @Test(arguments: [false, true])
    func `a spool that is deleted while it is open is begun again, and its records are noted`(isFlushed: Bool) throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        try fixture.append(1...2)
        #expect(upload.run() == .idle)
        try fixture.append(3...5)
        try FileManager.default.removeItem(atPath: fixture.directory)
        if isFlushed { try fixture.spool.flush() } else { fixture.clock.advance(by: .seconds(1)) }
        try fixture.append(6...7)
        #expect(fixture.lost(.deleted) == 3 && fixture.drops.first?.sequences == 3...5)
        #expect(try fixture.waiting() == [6, 7])
        #expect(upload.run() == .idle)
        #expect(destination.accepted == [1, 2, 6, 7])
        try fixture.reopen()
        try fixture.append(8...8)
        #expect(try fixture.waiting() == [8] && fixture.drops.count == 1)
    }

    @Test func `segments that are deleted from an open spool leave the cursor valid`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        try fixture.deleteSegments(after: &upload)
        try fixture.spool.flush()
        try fixture.append(6...7)
        try fixture.reopen()
        upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == [1, 2, 6, 7] && fixture.lost(.deleted) == 3 && fixture.drops.count == 1)
    }

    @Test func `a closed spool takes nothing, and resolves nothing`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...2)
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.interrupted) }
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .stop && fixture.spool.view.cursor.flying != nil)
        fixture.spool.close()
        #expect(throws: SinkError.self) { try fixture.append(3...4) }
        fixture.spool.resolve()
        #expect(try fixture.waiting() == [1, 2])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `what root creates in another user's spool belongs to that user`() throws {
        let fixture = try SpoolFixture()
        fixture.spool.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.directory) {
            try FileManager.default.removeItem(atPath: fixture.directory + "/" + name)
        }
        try #require(chown(fixture.directory, 65_534, 65_534) == 0)
        try fixture.reopen()
        try fixture.append(1...2)
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.refused) }
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory)
        #expect(Set(names) == ["0000000000000001.segment", "cursor", "dead-letters", "lock"])
        for name in names {
            let owner = try FileManager.default.attributesOfItem(atPath: fixture.directory + "/" + name)[
                .ownerAccountID]
            #expect(owner as? Int == 65_534, "\(name)")
        }
    }

    // MARK: Bounds

    @Test func `a full spool drops the oldest records and notes them`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512))
        for number in 1...100 { try fixture.append(number...number, length: 15_000) }
        let waiting = try fixture.waiting()
        #expect(waiting.last == 100 && waiting == Array((waiting.first ?? 0)...100))
        #expect(fixture.spool.bytes <= 512 << 10)
        #expect(fixture.lost(.overflow) == 100 - waiting.count)
        let numbers = fixture.drops.compactMap(\.sequences)
        #expect(numbers.first?.lowerBound == 1 && numbers.last?.upperBound == UInt64(waiting[0] - 1))
        let levels = fixture.drops.reduce(0) { $0 + Int($1.levels[.error] ?? 0) }
        #expect(levels == (waiting[0] - 1) / 10)
    }

    @Test func `the batch in flight is not dropped, what follows is`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512))
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.later(notBefore: nil), reason: "away") }
        try fixture.append(1...3)
        var upload = fixture.upload(to: destination)
        guard case .wait = upload.run() else { return _ = Issue.record("it does not wait") }
        for number in 4...100 { try fixture.append(number...number, length: 15_000) }
        destination.answer { _ in Attempt(.accepted(refused: 0)) }
        fixture.clock.advance(by: .seconds(100))
        #expect(upload.run() == .idle)
        let sent = destination.accepted
        #expect(sent.starts(with: [1, 2, 3]) && sent.last == 100 && sent == sent.sorted())
        #expect(sent.count + fixture.lost(.overflow) == 100)
    }

    @Test func `a full spool drops the newest records where that is asked for, and stores their position`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512), whenFull: .dropNewest)
        var end: UInt64 = 0
        for number in 1...100 { end = try fixture.append(number...number, length: 15_000) }
        let waiting = try fixture.waiting()
        #expect(waiting == Array(1...waiting.count) && waiting.count > 20 && waiting.count < 100)
        #expect(fixture.spool.position(in: SpoolFixture.run) == end)
        let bytes = fixture.spool.bytes
        for number in 101...200 { end = try fixture.append(number...number, length: 15_000) }
        #expect(fixture.spool.bytes == bytes)
        try fixture.reopen()
        #expect(fixture.spool.position(in: SpoolFixture.run) == end)
        #expect(fixture.lost(.overflow) == 200 - waiting.count)
        // With space again, what comes is stored.
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        try fixture.append(201...201, length: 15_000)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == waiting + [201])
        #expect(fixture.lost(.overflow) == 200 - waiting.count)
    }

    @Test func `drops that a kill kept from the ledger are noted by the next run`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512), whenFull: .dropNewest)
        for number in 1...100 { try fixture.append(number...number, length: 15_000) }
        let waiting = try fixture.waiting().count
        // The clock stands still, so that only the first drop is in the ledger; the copy is what a kill leaves.
        #expect(fixture.lost(.overflow) == 1)
        let copy = fixture.folder.file("copy")
        try FileManager.default.copyItem(atPath: fixture.directory, toPath: copy)
        let next = Spool(SpoolOptions(directory: copy, size: .kibibytes(512), whenFull: .dropNewest))
        next.setBook(fixture.book)
        try next.open()
        next.close()
        #expect(fixture.lost(.overflow) == 100 - waiting)
    }

    @Test func `a full spool that holds is a temporary failure, until there is space`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512), whenFull: .hold)
        var next = 1
        let error = try #require(throws: SinkError.self) {
            while true {
                try fixture.append(next...next, length: 15_000)
                next += 1
            }
        }
        #expect(error.kind == .temporary && error.taken == 0 && error.reason.contains("full"))
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        try fixture.append(next...next, length: 15_000)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == Array(1...next) && fixture.drops.isEmpty)
    }

    @Test func `a batch that is larger than the spool is taken when there is nothing else`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512), whenFull: .hold)
        try fixture.append(1...100, length: 15_000)
        #expect(throws: SinkError.self) { try fixture.append(101...101) }
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        try fixture.append(101...101)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == Array(1...101))
        #expect(fixture.spool.bytes < 512 << 10)
    }

    @Test func `what has become too old is dropped and noted, also in part of a segment`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512), age: .hours(1))
        for number in 1...10 { try fixture.append(number...number, length: 15_000) }
        fixture.clock.advance(by: .minutes(50))
        try fixture.append(11...12)
        fixture.clock.advance(by: .minutes(20))
        try fixture.append(13...13)
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == [11, 12, 13])
        #expect(fixture.lost(.expired) == 10)
        let numbers = fixture.drops.compactMap(\.sequences)
        #expect(numbers.first?.lowerBound == 1 && numbers.last?.upperBound == 10)
    }

    @Test func `segments are removed when they have been delivered`() throws {
        let fixture = try SpoolFixture(size: .mebibytes(1))
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        for number in 1...200 {
            try fixture.append(number...number, length: 15_000)
            if number % 10 == 0 { #expect(upload.run() == .idle) }
        }
        #expect(destination.accepted == Array(1...200))
        #expect(fixture.segments.count <= 2 && fixture.drops.isEmpty)
        try fixture.reopen()
        #expect(try fixture.waiting() == [])
    }

    @Test func `everything can be dropped`() throws {
        let fixture = try SpoolFixture(size: .mebibytes(1))
        for number in 1...20 { try fixture.append(number...number, length: 15_000) }
        #expect(try fixture.spool.dropAll() == 20)
        #expect(try fixture.waiting() == [] && fixture.lost(.deleted) == 20)
        try fixture.append(21...22)
        try fixture.reopen()
        #expect(try fixture.waiting() == [21, 22])
    }
}
