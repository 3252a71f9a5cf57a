import Testing

@testable import TaffrailText

struct SizeTextTests {
    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (21_349, "21.3 kB"), (999_949, "999.9 kB"),
            (999_950, "1.0 MB"),
            (1_500_000_000, "1.5 GB"), (2_000_000_000_000, "2.0 TB"), (.max, "9223372.0 TB"),
        ] as [(Int64, String)])
    func `a size is in the largest unit of which it has at least one`(bytes: Int64, text: String) {
        #expect(SizeText.string(bytes) == text)
    }

    @Test(
        arguments: [
            (0, "0"), (-3, "-3"), (2.5, "2.5"), (1e14, "100000000000000"), (1e15, "1000000000000000"), (1e16, "1e+16"),
            (.infinity, "inf"),
        ] as [(Double, String)])
    func `a number has no needless decimals`(number: Double, text: String) {
        #expect(DecimalText.short(number) == text)
    }
}
