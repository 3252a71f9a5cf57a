import Taffrail
import Testing

@Suite struct CountTextTests {
    @Test func `a number has its noun in singular or plural`() {
        #expect([0, 1, 2].map { CountText.text($0, "record") } == ["0 records", "1 record", "2 records"])
        #expect([0, 1, 2].map { CountText.text($0, "is", "are") } == ["0 are", "1 is", "2 are"])
        #expect(CountText.text(UInt64.max, "line") == "18446744073709551615 lines")
    }
}
