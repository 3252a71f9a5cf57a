import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite struct SpoolDamageTests {
    /// Sends what a spool has.
    private static func send(_ fixture: SpoolFixture) -> [Int] {
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        return destination.accepted
    }

    /// Checks that every number was sent, or is in the ledger; `isOpenEnded`: what follows the last one that was sent
    /// may be there without its number.
    private static func check(_ sent: [Int], _ fixture: SpoolFixture, among numbers: ClosedRange<Int>, _ name: String) {
        #expect(sent == sent.sorted() && Set(sent).count == sent.count && sent.allSatisfy(numbers.contains), "\(name)")
        let drops = fixture.drops
        #expect(drops.allSatisfy { $0.reason == .unreadable && $0.sink == "http" }, "\(name)")
        let isOpenEnded = drops.contains { $0.sequences == nil }
        for number in numbers where !sent.contains(number) {
            let isNoted = drops.contains { $0.sequences?.contains(UInt64(number)) ?? false }
            #expect(isNoted || isOpenEnded && number > (sent.last ?? 0), "\(name): \(number) is lost")
        }
        if sent.count == numbers.count { #expect(drops.isEmpty, "\(name)") }
    }

    @Test func `a bit flipped anywhere in a segment loses at most what it hits, and never prevents the start`() throws {
        let original = try SpoolFixture()
        try original.append(1...3)
        try original.append(4...4)
        try original.append(5...7)
        let name = URL(filePath: try #require(original.segments.first)).lastPathComponent
        let bytes = try Data(contentsOf: URL(filePath: original.directory + "/" + name))
        var shortest = 7
        // Every byte of the segment's header and of the first frame's, and some of the others.
        let isLong = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] != nil
        for offset in bytes.indices where isLong || offset < 48 + 96 || offset % 5 == 0 {
            let fixture = try SpoolFixture()
            fixture.spool.close()
            var damaged = bytes
            damaged[offset] ^= 1 << (offset % 8)
            try damaged.write(to: URL(filePath: fixture.directory + "/" + name))
            try fixture.reopen()
            let sent = Self.send(fixture)
            Self.check(sent, fixture, among: 1...7, "byte \(offset)")
            shortest = min(shortest, sent.count)
            // What comes is stored and sent.
            try fixture.append(8...9)
            #expect(Self.send(fixture) == [8, 9], "byte \(offset)")
        }
        // Three records are in one frame, and its header names them all.
        #expect(shortest == 4)
    }

    @Test func `a damaged record is left out, the others of its batch are sent`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...100)
        fixture.spool.close()
        try fixture.damage("record 50")
        try fixture.reopen()
        #expect(Self.send(fixture) == Array(1...49) + Array(51...100))
        let drop = try #require(fixture.drops.first)
        #expect(drop.count == 1 && drop.levels == [.error: 1] && drop.sequences == 1...100)
    }

    @Test func `a part of a segment that is zeroed is noted, and what follows is sent`() throws {
        let fixture = try SpoolFixture(size: .mebibytes(4))
        for number in 1...30 { try fixture.append(number...number, length: 60_000) }
        fixture.spool.close()
        let path = fixture.segments[1]
        let size = try #require(try FileStatus.of(path)?.size)
        let file = try FileDescriptor(updating: path)
        try file.write([UInt8](repeating: 0, count: 150_000), at: size / 3)
        try fixture.reopen()
        let sent = Self.send(fixture)
        Self.check(sent, fixture, among: 1...30, "zeros")
        #expect(sent.count >= 26 && sent.last == 30)
    }

    enum Damage: CaseIterable { case deleted, foreign, empty, cut, firstDeleted }

    @Test(arguments: Damage.allCases)
    func `what a segment has lost is noted, and does not keep the others from being sent`(damage: Damage) throws {
        let fixture = try SpoolFixture(size: .mebibytes(4))
        for number in 1...30 { try fixture.append(number...number, length: 60_000) }
        fixture.spool.close()
        let path = fixture.segments[1]
        switch damage {
        case .deleted: try FileManager.default.removeItem(atPath: path)
        case .foreign: try Data("not a segment".utf8).write(to: URL(filePath: path))
        case .empty: try Data().write(to: URL(filePath: path))
        case .cut:
            // Between two frames, as a file system does that has lost the end.
            let segment = try SpoolSegment.open(2, in: fixture.directory)
            var place = try #require(try segment.header()).length
            guard case .frame(let frame) = try segment.find(at: place, size: .max) else {
                return _ = Issue.record("there is no frame")
            }
            place += Int64(frame.length)
            try FileDescriptor(updating: path).truncate(to: place)
        case .firstDeleted: try FileManager.default.removeItem(atPath: fixture.segments[0])
        }
        try fixture.reopen()
        let sent = Self.send(fixture)
        #expect(sent.last == 30 && sent.count < 30)
        if damage == .firstDeleted {
            // Nothing before it tells how much it had.
            #expect(fixture.lost(.unreadable) == 1 && fixture.drops.first?.run == SpoolFixture.run)
            try fixture.reopen()
            #expect(Self.send(fixture).isEmpty && fixture.lost(.unreadable) == 1)
            return
        }
        Self.check(sent, fixture, among: 1...30, "\(damage)")
        #expect(fixture.lost(.unreadable) == 30 - sent.count)
        // Once.
        try fixture.reopen()
        #expect(Self.send(fixture).isEmpty && fixture.lost(.unreadable) == 30 - sent.count)
    }

    @Test func `a segment that is missing where the last run has stopped is noted`() throws {
        let fixture = try SpoolFixture(size: .mebibytes(4))
        for number in 1...30 { try fixture.append(number...number, length: 60_000) }
        let destination = FakeDestination()
        destination.answer { Attempt($0.contains(3) ? .interrupted : .accepted(refused: 0)) }
        var upload = fixture.upload(to: destination, options: UploadOptions(records: 1))
        #expect(upload.run() == .stop && destination.accepted == [1, 2])
        fixture.spool.close()
        try FileManager.default.removeItem(atPath: fixture.segments[0])
        try fixture.reopen()
        #expect(Self.send(fixture).last == 30)
        #expect(fixture.lost(.unreadable) == 1 && fixture.drops.first?.sequences == nil)
    }

    @Test func `what a disk cannot read is damage up to the next block`() throws {
        // The system's errors are the same for this process's memory, where nothing is.
        let segment = SpoolSegment(1, try FileDescriptor("/proc/self/mem", .read))
        var place: Int64 = 48
        var offsets: [Int64] = []
        while case .damage(let until) = try segment.find(at: place, size: 20_000), offsets.count < 10 {
            offsets.append(until)
            place = until
        }
        #expect(offsets == [4096, 8192, 12_288, 16_384, 20_000])
        var frame = SpoolFrame(run: SpoolFixture.run, time: 0)
        frame.payloadLength = 100
        let payload = try segment.payload(of: frame, at: 0)
        #expect(payload.bytes.isEmpty && !payload.isIntact)
    }

    @Test func `whatever a disk cannot read of the last segment, the spool opens, and the rest is sent`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512))
        for number in 1...5 { try fixture.append(number...number, length: 15_000) }
        fixture.spool.close()
        let paths = fixture.segments
        #expect(paths.count > 1)
        var segments = try paths.enumerated().map { index, path in
            SpoolView.Segment(number: UInt64(index + 1), size: try #require(try FileStatus.of(path)?.size), newest: 0)
        }
        // A descriptor that is only for writing: its header is that of another one, every other read fails.
        let scan = SpoolScan(&segments) { number, isLast throws(SystemError) in
            isLast
                ? SpoolSegment(number, try FileDescriptor(SpoolSegment.path(number, in: fixture.directory), .write))
                : try SpoolSegment.open(number, in: fixture.directory)
        }
        #expect(scan.active == nil && scan.marks.all.map(\.ring.run) == [SpoolFixture.run])
    }

    @Test func `a segment that cannot be opened at present is not dropped`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512))
        var next = 1
        while fixture.segments.count < 3 {
            try fixture.append(next...next, length: 15_000)
            next += 1
        }
        let path = fixture.segments[0]
        // A link is not followed.
        try FileManager.default.moveItem(atPath: path, toPath: fixture.folder.file("aside"))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: fixture.folder.file("aside"))
        #expect(throws: SinkError.self) { try fixture.spool.dropAll() }
        #expect(fixture.drops.isEmpty)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: fixture.folder.file("aside"), toPath: path)
        #expect(try fixture.spool.dropAll() == UInt64(next - 1))
        #expect(fixture.lost(.deleted) == next - 1)
    }

    @Test func `what is lost is noted for each run`() throws {
        let fixture = try SpoolFixture()
        let (one, other) = (RingID(1), RingID(2))
        for number in 1...3 {
            try fixture.append(number...number, of: one)
            try fixture.append(number...number, of: other)
        }
        let path = try #require(fixture.segments.first)
        var bytes = try Data(contentsOf: URL(filePath: path))
        let segment = try SpoolSegment.open(1, in: fixture.directory)
        var place = try #require(try segment.header()).length
        for index in 0..<4 {
            guard case .frame(let frame) = try segment.find(at: place, size: Int64(bytes.count)) else { break }
            if index >= 2 { for offset in 0..<frame.length { bytes[Int(place) + offset] = 0xEE } }
            place += Int64(frame.length)
        }
        fixture.spool.close()
        try bytes.write(to: URL(filePath: path))
        try fixture.reopen()
        #expect(Self.send(fixture) == [1, 1, 3, 3])
        let drops = fixture.drops
        #expect(Set(drops.map(\.run)) == [one, other])
        #expect(drops.count == 2 && drops.allSatisfy { $0.count == 1 && $0.sequences == 2...2 })
    }

    @Test(arguments: [false, true])
    func `what was dropped after a batch in flight is noted once, also by a later run`(isReopened: Bool) throws {
        let fixture = try SpoolFixture(size: .kibibytes(512))
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.later(notBefore: nil), reason: "away") }
        try fixture.append(1...3)
        var upload = fixture.upload(to: destination)
        guard case .wait = upload.run() else { return _ = Issue.record("it does not wait") }
        for number in 4...100 { try fixture.append(number...number, length: 15_000) }
        if isReopened { try fixture.reopen() }
        fixture.clock.advance(by: .seconds(100))
        let sent = Self.send(fixture)
        #expect(sent.starts(with: [1, 2, 3]) && sent.last == 100)
        #expect(sent.count + fixture.lost(.overflow) == 100 && fixture.lost(.unreadable) == 0)
    }

    @Test func `what is left of a damaged batch is not sent twice when the queue offers it again`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...10)
        let end = try fixture.append(11...100)
        fixture.spool.close()
        try fixture.damage("record 50")
        try fixture.reopen()
        #expect(fixture.spool.position(in: SpoolFixture.run) == end)
        try fixture.append(11...101)
        #expect(Self.send(fixture) == Array(1...49) + Array(51...101))
        #expect(fixture.lost(.unreadable) == 1)
    }

    @Test(arguments: [0, 1, 2]) func `a damaged cursor sends again, and loses nothing`(kind: Int) throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...3)
        #expect(Self.send(fixture) == [1, 2, 3])
        try fixture.append(4...5)
        fixture.spool.close()
        let path = fixture.directory + "/cursor"
        switch kind {
        case 0: try FileManager.default.removeItem(atPath: path)
        case 1: try Data().write(to: URL(filePath: path))
        default: try Data(repeating: 7, count: 256).write(to: URL(filePath: path))
        }
        try fixture.reopen()
        #expect(Self.send(fixture) == [1, 2, 3, 4, 5])
    }

    @Test func `a kill between the two slots of the cursor leaves the older one`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...3)
        #expect(Self.send(fixture) == [1, 2, 3])
        fixture.spool.close()
        let path = fixture.directory + "/cursor"
        let bytes = try Data(contentsOf: URL(filePath: path))
        let end = try #require(try FileStatus.of(fixture.segments[0])?.size)
        let start = try #require(try SpoolSegment.open(1, in: fixture.directory).header()).length
        let cursors = [
            SpoolCursor(
                position: SpoolPosition(segment: 1, offset: start), flying: SpoolPosition(segment: 1, offset: end)),
            SpoolCursor(position: SpoolPosition(segment: 1, offset: end)),
        ]
        var found: Set<SpoolCursor> = []
        for slot in 0..<2 {
            var torn = bytes
            for offset in 40..<128 where slot * 128 + offset < torn.count { torn[slot * 128 + offset] = 0xFF }
            try torn.write(to: URL(filePath: path))
            // The one that is intact: before the batch was resolved, or after.
            let cursor = try #require(SpoolCursorFile.read(directory: fixture.directory))
            #expect(Int64(bytes.count) == 256 && cursors.contains(cursor))
            found.insert(cursor)
        }
        #expect(found.count == 2)
    }
}
