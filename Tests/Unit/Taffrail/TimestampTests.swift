import Taffrail
import Testing

@Suite struct TimestampTests {
    private static let noon = Timestamp(nanoseconds: 1_767_614_400_000_000_001)

    @Test func `a duration moves a time, forward and backward`() {
        #expect((Self.noon + .milliseconds(1_500)).nanoseconds == 1_767_614_401_500_000_001)
        #expect((Self.noon - .milliseconds(1_500)).nanoseconds == 1_767_614_398_500_000_001)
        #expect(Self.noon + .seconds(-3) == Self.noon - .seconds(3))
    }

    @Test(arguments: [
        (499_999_999, 0), (500_000_000, 1), (1_499_999_999, 1), (1_500_000_000, 2), (-499_999_999, 0),
        (-500_000_000, -1), (-1_499_999_999, -1), (-1_500_000_000, -2),
    ])
    func `a duration is rounded to the nearest nanosecond`(attoseconds: Int64, nanoseconds: Int64) {
        let duration = Duration(secondsComponent: 0, attosecondsComponent: attoseconds)
        #expect((Self.noon + duration).nanoseconds - Self.noon.nanoseconds == nanoseconds)
        #expect(Self.noon.nanoseconds - (Self.noon - duration).nanoseconds == nanoseconds)
    }

    @Test func `seconds that are not exact in binary are those meant`() {
        for tenth in 0..<100 {
            #expect(Self.noon + .seconds(Double(tenth) / 10) == Self.noon + .milliseconds(100 * tenth))
        }
    }

    @Test func `the difference of two times is exact`() {
        #expect((Self.noon + .nanoseconds(7)) - Self.noon == .nanoseconds(7))
        #expect(Self.noon - (Self.noon + .days(20_000)) == .seconds(-86_400 * 20_000))
        let (first, last) = (Timestamp(nanoseconds: .min), Timestamp(nanoseconds: .max))
        let all = Duration.nanoseconds(UInt64.max)
        #expect(last - first == all && first - last == Duration.zero - all)
    }

    @Test func `a time out of range is clamped`() {
        let (first, last) = (Timestamp(nanoseconds: .min), Timestamp(nanoseconds: .max))
        #expect(Self.noon + .seconds(Int64.max) == last && Self.noon - .seconds(Int64.max) == first)
        #expect(last + .nanoseconds(1) == last && first - .nanoseconds(1) == first)
    }
}
