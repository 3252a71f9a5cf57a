import Testing

@testable import TaffrailDelivery

struct UploadPaceTests {
    @Test func `a destination's time is waited for, a day at most`() {
        let now: Int64 = 1_767_623_400_000_000_000
        #expect(UploadPace.wait(until: now &+ 5, now: now) == .nanoseconds(5))
        #expect(UploadPace.wait(until: now, now: now) == .zero)
        #expect(UploadPace.wait(until: .min, now: now) == .zero)
        #expect(UploadPace.wait(until: now &+ 999_999_999_000_000_000, now: now) == UploadPace.longest)
        #expect(UploadPace.wait(until: .max, now: .min) == UploadPace.longest)
    }

    @Test func `a rate is kept, a day at most`() {
        #expect(UploadPace.wait(after: 2_000, rate: 1_000) == .seconds(2))
        #expect(UploadPace.wait(after: 0, rate: 1_000) == .zero)
        #expect(UploadPace.wait(after: 7, rate: 0) == .seconds(7))
        #expect(UploadPace.wait(after: .max, rate: 1) == UploadPace.longest)
    }
}
