import Testing

@testable import TaffrailText

@Suite struct RoundingTests {
    @Test func `numbers are rounded to six decimals if these are exact`() {
        #expect(29.900000000000002.roundedToMillionths == 29.9)
        #expect((-0.123_456_7).roundedToMillionths == -0.123457)
        #expect(1.5e9.nextUp.roundedToMillionths == 1.5e9.nextUp)
        #expect(Double.infinity.roundedToMillionths == .infinity && Double.nan.roundedToMillionths.isNaN)
    }
}
