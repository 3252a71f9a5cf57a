import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

/// What is resolved when the ledger, or the clock, or the cursor is not as it should be.
@Suite struct BatchResolutionTests {
    /// Makes the ledger a directory, which cannot be written.
    private static func block(_ fixture: SpoolFixture) throws {
        try FileManager.default.createDirectory(
            atPath: fixture.folder.file(".taffrail/ledger"), withIntermediateDirectories: false)
    }

    private static func unblock(_ fixture: SpoolFixture) throws {
        try FileManager.default.removeItem(atPath: fixture.folder.file(".taffrail/ledger"))
    }

    @Test func `an accepted batch is not sent again while the ledger cannot be written`() throws {
        let fixture = try SpoolFixture()
        try Self.block(fixture)
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.accepted(refused: 2), reason: "too old", bytes: 100) }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...5)
        for _ in 0..<5 {
            #expect(upload.run() == .wait(for: .seconds(1), bytes: .max))
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(destination.sent.count == 1 && upload.status.problem?.contains("ledger") == true)
        try Self.unblock(fixture)
        #expect(upload.run() == .idle)
        #expect(destination.sent.count == 1 && fixture.lost(.rejected) == 2)
        #expect(upload.status.sent == 3 && upload.status.sentBytes == 100 && upload.status.problem == nil)
    }

    @Test func `a dead letter is written once while the ledger cannot be written`() throws {
        let fixture = try SpoolFixture()
        try Self.block(fixture)
        let destination = FakeDestination()
        destination.answer { Attempt($0.contains(1) ? .refused : .accepted(refused: 0), reason: "400") }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...2)
        for _ in 0..<5 {
            #expect(upload.run() == .wait(for: .seconds(1), bytes: .max))
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(destination.sent.map(\.numbers) == [[1, 2], [1]])
        try Self.unblock(fixture)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == [2] && fixture.lost(.rejected) == 1)
        #expect(try DeadLetters.read(DeadLetters.path(in: fixture.directory)).map(\.frame.first) == [1])
    }

    @Test func `records that are refused of an accepted batch are dead letters, once, if they are named`() throws {
        let fixture = try SpoolFixture()
        try Self.block(fixture)
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.accepted(refused: 2), reason: "400 mapping", refused: [1, 3, 99]) }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...5)
        for _ in 0..<3 {
            guard case .wait = upload.run() else { return _ = Issue.record("it does not wait") }
            fixture.clock.advance(by: .seconds(1))
        }
        try Self.unblock(fixture)
        #expect(upload.run() == .idle)
        let letters = try DeadLetters.read(DeadLetters.path(in: fixture.directory))
        #expect(letters.map(\.frame.first) == [2, 4] && letters.allSatisfy { $0.reason == "400 mapping" })
        #expect(destination.sent.count == 1 && fixture.lost(.rejected) == 2)
    }

    // MARK: The clock

    @Test func `a wait that was asked for is given up when the clock has been set back for more than a day`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        let requested = fixture.clock.nanoseconds + 100_000_000_000
        destination.answer { _ in Attempt(.later(notBefore: requested), reason: "429") }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...2)
        guard case .wait = upload.run() else { return _ = Issue.record("it does not wait") }
        fixture.clock.advance(by: .hours(-48))
        try fixture.reopen()
        destination.answer { _ in Attempt(.accepted(refused: 0)) }
        upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == [1, 2])
    }

    @Test func `a delay of our own is not longer after the clock has been set back`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.later(notBefore: nil), reason: "connection refused") }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...2)
        for _ in 0..<10 {
            guard case .wait(let time, _) = upload.run() else { return _ = Issue.record("it does not wait") }
            fixture.clock.advance(by: time)
        }
        guard case .wait = upload.run() else { return _ = Issue.record("it does not wait") }
        fixture.clock.advance(by: .hours(-20))
        try fixture.reopen()
        upload = fixture.upload(to: destination)
        #expect(upload.run() == .wait(for: .seconds(60), bytes: .max))
    }

    @Test func `records do not wait for others when the clock has been set back`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        try fixture.append(1...1)
        #expect(upload.run(isEnding: false) == .wait(for: .milliseconds(500), bytes: 1 << 20))
        fixture.clock.advance(by: .hours(-1))
        #expect(upload.run(isEnding: false) == .idle)
        #expect(destination.accepted == [1])
    }

    // MARK: The cursor

    @Test func `what is added after a power loss is not taken for what was there before`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...2)
        let path = try #require(fixture.segments.first)
        let size = try #require(try FileStatus.of(path)?.size)
        try fixture.append(3...3)
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        fixture.spool.close()
        // The cursor is on the disk, the end of the segment is not.
        try FileDescriptor(updating: path).truncate(to: size)
        try fixture.reopen()
        try fixture.append(4...4)
        try fixture.reopen()
        #expect(try fixture.waiting() == [4])
    }

    @Test func `a cursor without its segment sends nothing twice, and its number is not used again`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512))
        try fixture.append(1...2)
        fixture.spool.close()
        let position = SpoolPosition(segment: 5, offset: 100_000)
        var file = try SpoolCursorFile(directory: fixture.directory)
        try file.write(SpoolCursor(position: position, flying: SpoolPosition(segment: 6, offset: 500)))
        try fixture.reopen()
        #expect(try fixture.waiting() == [])
        for number in 3...12 { try fixture.append(number...number, length: 15_000) }
        #expect(fixture.segments.count >= 2)
        for path in fixture.segments.dropFirst() {
            #expect(path.hasSuffix("/" + SpoolSegment.name(7)) || path > fixture.directory + "/" + SpoolSegment.name(7))
        }
        try fixture.reopen()
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == Array(3...12) && fixture.drops.isEmpty)
    }

    @Test func `records that the queue offers again are left out`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...3)
        try fixture.append(1...3)
        try fixture.append(2...5)
        try fixture.append(1...2, of: RingID(7))
        try fixture.reopen()
        try fixture.append(4...6)
        #expect(try fixture.waiting() == [1, 2, 3, 4, 5, 1, 2, 6])
    }
}
