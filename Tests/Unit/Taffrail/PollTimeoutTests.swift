import Testing

@testable import Taffrail

@Suite struct PollTimeoutTests {
    @Test(arguments: [
        (-1, 0), (0, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2), (Int64.max, CInt.max),
    ]) func `a time for poll is not too short, nor negative`(nanoseconds: Int64, milliseconds: CInt) {
        #expect(Duration.nanoseconds(nanoseconds).pollTimeout == milliseconds)
    }

    @Test func `a time that has more seconds than fit into 64 bits is clamped`() {
        #expect((Duration.seconds(Int64.max) * 4).nanoseconds == .max)
        #expect((Duration.seconds(Int64.min) * 4).nanoseconds == 0)
    }
}
