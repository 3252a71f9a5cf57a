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
