import Taffrail
import TaffrailText
import Testing

@Suite struct TimestampSecondsTests {
    @Test func `whole seconds and milliseconds are rounded down, also before 1970, and up where requested`() {
        let after = Timestamp(nanoseconds: 1_001_000_001)
        #expect(
            after.wholeSeconds == 1 && after.milliseconds() == 1_001 && after.milliseconds(roundedUp: true) == 1_002)
        let before = Timestamp(nanoseconds: -1)
        #expect(before.wholeSeconds == -1 && before.milliseconds() == -1 && before.milliseconds(roundedUp: true) == 0)
        for nanoseconds in [-2_000_000_000, 0, 2_000_000_000] as [Int64] {
            let time = Timestamp(nanoseconds: nanoseconds)
            #expect(time.wholeSeconds == nanoseconds / 1_000_000_000)
            #expect(time.milliseconds() == nanoseconds / 1_000_000)
            #expect(time.milliseconds(roundedUp: true) == nanoseconds / 1_000_000)
        }
    }
}
