import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite struct UploadTests {
    @Test func `a lone record waits for others for the delay, and no longer`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        #expect(upload.run(isEnding: false) == .idle)
        try fixture.append(1...1)
        #expect(upload.advance() == .wait(for: .milliseconds(500), bytes: 1 << 20))
        fixture.clock.advance(by: .milliseconds(200))
        try fixture.append(2...2)
        #expect(upload.advance() == .wait(for: .milliseconds(300), bytes: 1 << 20))
        fixture.clock.advance(by: .milliseconds(300))
        #expect(upload.run(isEnding: false) == .idle)
        #expect(destination.sent == [FakeDestination.Sent(id: "000000000000abcd-1-2", numbers: [1, 2])])
    }

    @Test func `a batch that is full does not wait`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination, options: UploadOptions(records: 10))
        try fixture.append(1...25)
        #expect(upload.run(isEnding: false) == .wait(for: .milliseconds(500), bytes: 1 << 20))
        #expect(destination.sent.map(\.numbers) == [Array(1...10), Array(11...20)])
        #expect(upload.run() == .idle)
        #expect(destination.accepted == Array(1...25))
    }

    @Test func `a batch has records of one run`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        var upload = fixture.upload(to: destination)
        try fixture.append(1...2, of: RingID(1))
        try fixture.append(1...2, of: RingID(2))
        try fixture.append(3...4, of: RingID(1))
        #expect(upload.run() == .idle)
        #expect(
            destination.sent.map(\.id) == [
                "0000000000000001-1-2", "0000000000000002-1-2", "0000000000000001-3-4",
            ])
    }

    // MARK: Failures

    @Test func `the same batch is retried, with growing delays of full jitter`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.later(notBefore: nil), reason: "connection refused") }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...2)
        for attempt in 1...20 {
            guard case .wait(let time, .max) = upload.run() else { return _ = Issue.record("it does not wait") }
            let longest = Duration.seconds(min(60, pow(2, Double(attempt - 1))))
            #expect(time >= .zero && time <= longest)
            #expect(destination.sent.count == attempt)
            try fixture.append(attempt + 2...attempt + 2)
            fixture.clock.advance(by: time)
        }
        #expect(Set(destination.sent.map(\.id)) == ["000000000000abcd-1-2"])
        #expect(upload.status.problem == "connection refused")
        destination.answer { _ in Attempt(.accepted(refused: 0)) }
        #expect(upload.run() == .idle)
        #expect(destination.accepted == Array(1...22) && upload.status.problem == nil)
    }

    @Test func `jitter takes all of the delay, from none to the longest`() {
        var generator = SeededGenerator(seed: 7)
        let options = UploadOptions(firstRetry: .seconds(1), longestRetry: .seconds(60))
        for (failures, longest) in [(UInt32(1), 1e9), (2, 2e9), (6, 32e9), (7, 60e9), (.max, 60e9)] {
            let delays = (0..<2000).map { _ in options.delay(after: failures, using: &generator).nanoseconds }
            #expect(delays.allSatisfy { (0...Int64(longest)).contains($0) })
            #expect(Double(delays.min() ?? .max) < longest / 100 && Double(delays.max() ?? 0) > longest * 0.99)
        }
    }

    @Test func `the time that a destination asks for is kept, also by the next run`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        let requested = fixture.clock.nanoseconds + 100_000_000_000
        destination.answer { _ in Attempt(.later(notBefore: requested), reason: "429") }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...2)
        // Up to a second more, so that programs that were asked together do not retry together.
        guard case .wait(let first, .max) = upload.run() else { return _ = Issue.record("it does not wait") }
        #expect((Duration.seconds(100) ... .seconds(101)).contains(first))
        fixture.clock.advance(by: .seconds(40))
        try fixture.reopen()
        upload = fixture.upload(to: destination)
        #expect(upload.run() == .wait(for: first - .seconds(40), bytes: .max))
        #expect(destination.sent.count == 1)
        fixture.clock.advance(by: first - .seconds(40) - .nanoseconds(1))
        #expect(upload.run() == .wait(for: .nanoseconds(1), bytes: .max))
        fixture.clock.advance(by: .nanoseconds(1))
        destination.answer { _ in Attempt(.accepted(refused: 0)) }
        #expect(upload.run() == .idle)
        #expect(destination.sent.map(\.id) == ["000000000000abcd-1-2", "000000000000abcd-1-2"])
    }

    @Test func `an absurd time is kept for a day at most`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.later(notBefore: .max), reason: "503") }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...1)
        #expect(upload.run() == .wait(for: .days(1), bytes: .max))
    }

    @Test func `a destination that asks for no wait at all is retried with growing delays`() throws {
        for past in [Int64(0), 3_600_000_000_000] {
            let fixture = try SpoolFixture()
            let (destination, clock) = (FakeDestination(), fixture.clock)
            destination.answer { _ in Attempt(.later(notBefore: clock.nanoseconds - past), reason: "503") }
            var upload = fixture.upload(to: destination)
            try fixture.append(1...2)
            var waited = Duration.zero
            for attempt in 1...30 {
                guard case .wait(let time, .max) = upload.run() else {
                    return _ = Issue.record("it does not wait")
                }
                #expect(destination.sent.count == attempt)
                waited += time
                clock.advance(by: time)
            }
            // 750 s on average.
            #expect(waited > .seconds(60))
        }
    }

    @Test func `a rate is kept by attempts that fail, too`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.later(notBefore: nil), reason: "503", bytes: 1000) }
        var upload = fixture.upload(
            to: destination,
            options: UploadOptions(firstRetry: .milliseconds(1), longestRetry: .milliseconds(1), rate: 500))
        try fixture.append(1...1)
        for attempt in 1...3 {
            #expect(upload.run() == .wait(for: .seconds(2), bytes: .max))
            #expect(destination.sent.count == attempt)
            fixture.clock.advance(by: .seconds(2))
        }
    }

    @Test func `a batch in flight is the same after a kill, whatever came since`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.interrupted) }
        var upload = fixture.upload(to: destination, options: UploadOptions(records: 3))
        try fixture.append(1...2)
        try fixture.append(3...8)
        #expect(upload.run() == .stop)
        for number in 9...11 {
            try fixture.append(number...number)
            try fixture.reopen()
            // With other limits, too.
            upload = fixture.upload(to: destination)
            #expect(upload.run() == .stop)
        }
        #expect(Set(destination.sent.map(\.id)) == ["000000000000abcd-1-3"])
        destination.answer { _ in Attempt(.accepted(refused: 0)) }
        upload = fixture.upload(to: destination)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == Array(1...11))
    }

    // MARK: Refusals

    @Test func `a batch that is too large is halved, and later ones are as small`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { numbers in Attempt(numbers.count > 10 ? .tooLarge : .accepted(refused: 0), reason: "413") }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...100)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == Array(1...100))
        let before = destination.sent.count
        try fixture.append(101...200)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == Array(1...200))
        #expect(destination.sent.count - before <= 20)
        #expect(fixture.drops.isEmpty)
    }

    @Test func `one bad record among many becomes a dead letter, the others are delivered in order`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { numbers in
            Attempt(numbers.contains(37) ? .refused : .accepted(refused: 0), reason: "400 bad 37")
        }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...100)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == Array(1...100).filter { $0 != 37 })
        #expect(destination.sent.count < 30)
        let letters = try DeadLetters.read(DeadLetters.path(in: fixture.directory))
        #expect(letters.map(\.reason) == ["400 bad 37"] && letters.map(\.frame.first) == [37])
        #expect(fixture.lost(.rejected) == 1 && fixture.drops.first?.sequences == 37...37)
        #expect(upload.status.refused == 1 && upload.status.sent == 99)
    }

    @Test func `a dead letter is sent again when that is asked for`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { numbers in Attempt(numbers.contains(3) ? .refused : .accepted(refused: 0), reason: "400") }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...5)
        #expect(upload.run() == .idle)
        let position = fixture.spool.position(in: SpoolFixture.run)
        destination.answer { _ in Attempt(.accepted(refused: 0)) }
        #expect(try DeadLetters.retry(in: fixture.directory) == 1)
        #expect(upload.run() == .idle)
        #expect(destination.accepted == [1, 2, 4, 5, 3])
        #expect(try DeadLetters.read(DeadLetters.path(in: fixture.directory)).isEmpty)
        #expect(fixture.spool.position(in: SpoolFixture.run) == position)
        try fixture.reopen()
        #expect(fixture.spool.position(in: SpoolFixture.run) == position)
    }

    @Test func `a destination that refuses everything is not fed with everything`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.refused, reason: "400") }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...1000)
        for _ in 0..<10 {
            guard case .wait(let time, _) = upload.run() else { return _ = Issue.record("it does not wait") }
            #expect(try DeadLetters.read(DeadLetters.path(in: fixture.directory)).count == 8)
            #expect(try fixture.waiting().count == 992)
            fixture.clock.advance(by: time)
        }
        // What follows is tried with one record.
        #expect(destination.sent.suffix(5).allSatisfy { $0.numbers == [9] })
        // When it accepts again, all others arrive.
        destination.answer { _ in Attempt(.accepted(refused: 0)) }
        fixture.clock.advance(by: .seconds(60))
        #expect(upload.run() == .idle)
        #expect(destination.accepted == Array(9...1000))
    }

    @Test func `many bad records in a row become dead letters slowly, and do not hold up the others for ever`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { numbers in
            Attempt(numbers.contains { $0 <= 12 } ? .refused : .accepted(refused: 0), reason: "400")
        }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...100)
        var next = upload.run()
        var waits = 0
        while case .wait(let time, _) = next, waits < 1000 {
            waits += 1
            fixture.clock.advance(by: time)
            next = upload.run()
        }
        #expect(next == .idle && destination.accepted == Array(13...100) && fixture.lost(.rejected) == 12)
        #expect(waits >= 4 * 16)
    }

    @Test func `records that are refused of an accepted batch are noted, and not sent again`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.accepted(refused: 2), reason: "too old") }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...5)
        #expect(upload.run() == .idle)
        #expect(destination.sent.count == 1 && fixture.lost(.rejected) == 2)
        #expect(fixture.drops.first?.sequences == 1...5)
    }

    @Test func `a destination that denies everything is asked again, and loses nothing`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.denied, reason: "401") }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...5)
        for _ in 0..<10 {
            guard case .wait(let time, _) = upload.run() else { return _ = Issue.record("it does not wait") }
            fixture.clock.advance(by: time)
        }
        destination.answer { _ in Attempt(.accepted(refused: 0)) }
        #expect(upload.run() == .idle)
        #expect(destination.accepted == Array(1...5) && fixture.drops.isEmpty)
    }

    @Test func `a rate is kept`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { _ in Attempt(.accepted(refused: 0), bytes: 1000) }
        var upload = fixture.upload(to: destination, options: UploadOptions(records: 1, rate: 500))
        try fixture.append(1...3)
        for _ in 0..<2 {
            #expect(upload.run() == .wait(for: .seconds(2), bytes: .max))
            fixture.clock.advance(by: .seconds(2))
        }
        #expect(upload.run() == .wait(for: .seconds(2), bytes: .max))
        #expect(destination.accepted == [1, 2, 3])
    }
}
