import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite struct BatchLimitsTests {
    @Test func `a batch that takes too long is sent again as it is, and those that follow are smaller`() throws {
        let fixture = try SpoolFixture()
        let destination = FakeDestination()
        destination.answer { _ in
            var attempt = Attempt(.later(notBefore: nil), reason: "deadline exceeded")
            attempt.isSlow = true
            return attempt
        }
        var upload = fixture.upload(to: destination)
        try fixture.append(1...100, length: 1000)
        try fixture.append(101...200, length: 1000)
        for _ in 0..<3 {
            guard case .wait(let time, _) = upload.run() else { return _ = Issue.record("it does not wait") }
            fixture.clock.advance(by: time)
        }
        destination.answer { _ in Attempt(.accepted(refused: 0)) }
        #expect(upload.run() == .idle)
        try fixture.append(201...400, length: 1000)
        #expect(upload.run() == .idle)
        #expect(destination.sent.prefix(4).allSatisfy { $0.numbers == Array(1...200) })
        #expect(destination.accepted == Array(1...400))
        let later = destination.sent.dropFirst(4).map(\.numbers.count)
        #expect(later.count >= 2 && later.allSatisfy { (10...110).contains($0) }, "\(later)")
    }

    @Test func `a batch that is too large never raises a limit`() {
        var limits = BatchLimits(UploadOptions(records: 1000, bytes: 1 << 10))
        var part = SpoolBatch()
        // The batch in flight of an earlier run, which had higher limits.
        part.count = 8192
        part.bytes = [UInt8](repeating: 0, count: 1 << 20)
        limits.noteTooLarge(part)
        #expect(limits.records == 1000 && limits.bytes == 1 << 10)
        // A part, and then the other half of what it was split from.
        for (count, records) in [(100, 50), (400, 50), (60, 30)] {
            part.count = count
            part.bytes = [UInt8](repeating: 0, count: 10 * count)
            limits.noteTooLarge(part)
            #expect(limits.records == records && limits.bytes == 10 * records)
        }
    }

    @Test func `a batch that takes too long is not cut to nothing, and what works becomes larger again`() {
        var limits = BatchLimits(UploadOptions(records: 100, bytes: 1 << 20))
        var part = SpoolBatch()
        part.count = 3
        for length in [400 << 10, 20 << 10, 10 << 10] {
            part.bytes = [UInt8](repeating: 0, count: length)
            limits.noteTooSlow(part)
        }
        #expect(limits.bytes == 16 << 10 && limits.records == 100)
        for _ in 0..<64 * 6 { limits.noteAccepted() }
        #expect(limits.bytes == 1 << 20)
    }
}
