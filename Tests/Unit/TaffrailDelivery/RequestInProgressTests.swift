import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

/// A destination that is still working on an earlier request with the same batch.
@Suite struct RequestInProgressTests {
    private static var inProgress: Attempt {
        var attempt = Attempt(.later(notBefore: nil), reason: "409")
        attempt.isInProgress = true
        return attempt
    }

    /// Sends as long as anything waits.
    ///
    /// - Returns: The number of waits.
    private static func run(_ upload: inout Upload, _ fixture: SpoolFixture) -> Int {
        for waits in 0..<1_000 {
            guard case .wait(let time, _) = upload.run() else { return waits }
            fixture.clock.advance(by: time)
        }
        return .max
    }

    @Test func `the batch is sent again as it is until that has ended`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        let left = Locked(0)
        destination.answer { _ in
            let isFirst = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isFirst ? Self.inProgress : Attempt(.accepted(refused: 0))
        }
        var upload = fixture.upload(to: destination)
        // Each batch may take as long.
        for batch in [1...4, 5...8] {
            left.withLock { $0 = 16 }
            let before = destination.sent.count
            try fixture.append(batch)
            let waits = Self.run(&upload, fixture)
            #expect(waits == 16)
            #expect(destination.sent.dropFirst(before).map(\.numbers) == Array(repeating: Array(batch), count: 17))
        }
        #expect(destination.accepted == Array(1...8) && fixture.drops.isEmpty)
    }

    @Test func `a destination that always answers so refuses the batch, and then each part of it at once`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { $0.contains(2) ? Self.inProgress : Attempt(.accepted(refused: 0)) }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...4)
        let waits = Self.run(&upload, fixture)
        #expect(waits == 16)
        #expect(destination.sent.prefix(17).allSatisfy { $0.numbers == [1, 2, 3, 4] })
        #expect(destination.sent.dropFirst(17).map(\.numbers) == [[1, 2], [1], [2], [3, 4]])
        #expect(destination.accepted == [1, 3, 4] && fixture.lost(.rejected) == 1)
        let letters = try DeadLetters.read(DeadLetters.path(in: fixture.directory))
        #expect(letters.map(\.frame.first) == [2] && letters.map(\.reason) == ["409"])
    }
}
