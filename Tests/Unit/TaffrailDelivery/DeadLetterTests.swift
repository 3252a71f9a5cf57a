import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite struct DeadLetterTests {
    /// Sends what a spool has; what `isBad` is true for is refused.
    private static func refuse(_ fixture: SpoolFixture, _ isBad: @escaping @Sendable (Int) -> Bool) -> [Int] {
        let destination = FakeDestination()
        destination.answer { Attempt($0.contains(where: isBad) ? .refused : .accepted(refused: 0), reason: "400") }
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        return destination.accepted
    }

    @Test func `dead letters for which there is no space wait, and do not keep the others from being sent`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512), whenFull: .hold)
        try fixture.append(1...3, length: 15_000)
        #expect(Self.refuse(fixture) { $0 <= 3 } == [])
        var next = 4
        #expect(throws: SinkError.self) {
            while true {
                try fixture.append(next...next, length: 15_000)
                next += 1
            }
        }
        #expect(try DeadLetters.retry(in: fixture.directory) == 3)
        let sent = Self.refuse(fixture) { _ in false }
        #expect(sent.sorted() == Array(1..<next) && sent.first == 4)
        #expect(!FileName.exists(DeadLetters.againPath(in: fixture.directory)))
        #expect(fixture.lost(.overflow) == 0)
    }

    @Test func `nothing is dropped for dead letters`() throws {
        let fixture = try SpoolFixture(size: .kibibytes(512))
        try fixture.append(1...3, length: 15_000)
        #expect(Self.refuse(fixture) { $0 <= 3 } == [])
        var next = 4
        while fixture.spool.bytes < 480 << 10 {
            try fixture.append(next...next, length: 15_000)
            next += 1
        }
        #expect(try DeadLetters.retry(in: fixture.directory) == 3)
        #expect(Self.refuse(fixture) { _ in false }.sorted() == Array(1..<next))
        #expect(fixture.lost(.overflow) == 0)
    }

    @Test func `dead letters are sent again once, also after a kill before their file is removed`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...6, of: RingID(1))
        try fixture.append(1...6, of: RingID(2))
        #expect(Self.refuse(fixture) { $0 == 3 || $0 == 5 } == [1, 2, 4, 6, 1, 2, 4, 6])
        let path = DeadLetters.againPath(in: fixture.directory)
        #expect(try DeadLetters.retry(in: fixture.directory) == 4)
        #expect(try fixture.spool.append(deadLettersIn: path) == 4)
        try fixture.reopen()
        #expect(Self.refuse(fixture) { _ in false } == [3, 5, 3, 5])
        #expect(!FileName.exists(path))
        // Later ones are others.
        try fixture.append(7...8, of: RingID(1))
        #expect(Self.refuse(fixture) { $0 == 7 } == [8])
        #expect(try DeadLetters.retry(in: fixture.directory) == 1)
        #expect(Self.refuse(fixture) { _ in false } == [7])
    }

    @Test func `a dead letter that a kill has written twice is one`() throws {
        let fixture = try SpoolFixture()
        let ledger = fixture.folder.file(".taffrail/ledger")
        try FileManager.default.createDirectory(atPath: ledger, withIntermediateDirectories: false)
        try fixture.append(1...2)
        let destination = FakeDestination()
        destination.answer { Attempt($0.contains(1) ? .refused : .accepted(refused: 0), reason: "400") }
        // It is written, and not resolved.
        for _ in 0..<2 {
            var upload = fixture.upload(to: destination)
            #expect(upload.run() == .wait(for: .seconds(1), bytes: .max))
            try fixture.reopen()
        }
        try FileManager.default.removeItem(atPath: ledger)
        #expect(Self.refuse(fixture) { $0 == 1 } == [2])
        #expect(try DeadLetters.retry(in: fixture.directory) == 1)
        #expect(Self.refuse(fixture) { _ in false } == [1])
    }

    @Test func `dead letters that are sent again have requests and keys of their own`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...5)
        #expect(Self.refuse(fixture) { $0 == 2 || $0 == 5 } == [1, 3, 4])
        #expect(try DeadLetters.retry(in: fixture.directory) == 2)
        let id = String(try DeadLetters.id(of: DeadLetters.againPath(in: fixture.directory)), radix: 16)
        #expect(try fixture.spool.append(deadLettersIn: DeadLetters.againPath(in: fixture.directory)) == 2)
        try fixture.append(6...7)
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.interrupted) }
        var upload = fixture.upload(to: destination)
        #expect(upload.run() == .stop)
        try fixture.reopen()
        destination.answer { _ in Attempt(.accepted(refused: 0)) }
        upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        let again = FakeDestination.Sent(id: "000000000000abcd-2-5-again-\(id)", numbers: [2, 5])
        #expect(destination.sent == [again, again, FakeDestination.Sent(id: "000000000000abcd-6-7", numbers: [6, 7])])
    }

    @Test func `a dead letter that is torn does not hide the next one`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...2)
        #expect(Self.refuse(fixture) { $0 == 1 } == [2])
        let path = DeadLetters.path(in: fixture.directory)
        let whole = try Data(contentsOf: URL(filePath: path))
        var next = 3
        for length in stride(from: 1, to: whole.count - 16, by: 7) {
            try whole.prefix(length).write(to: URL(filePath: path))
            try fixture.append(next...next)
            #expect(Self.refuse(fixture) { _ in true } == [])
            #expect(try DeadLetters.read(path).map(\.frame.first) == [UInt64(next)], "\(length)")
            next += 1
        }
    }

    @Test func `a dead letter with a flipped bit is left out, the next one is not`() throws {
        let fixture = try SpoolFixture()
        try fixture.append(1...2)
        #expect(Self.refuse(fixture) { _ in true } == [])
        let path = DeadLetters.path(in: fixture.directory)
        var bytes = try Data(contentsOf: URL(filePath: path))
        let place = try #require(bytes.range(of: Data("record 1".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: URL(filePath: path))
        #expect(try DeadLetters.read(path).map(\.frame.first) == [2])
    }
}
