import TaffrailText
import Testing

@Suite struct ClockTextTests {
    @Test(arguments: [
        (-60, "0 min"), (29, "0 min"), (30, "1 min"), (3_569, "59 min"), (3_570, "1 h 0 min"), (3_900, "1 h 5 min"),
        (299_999, "83 h 20 min"),
    ]) func `a duration in words is rounded to minutes`(seconds: Int, text: String) {
        #expect(ClockText.minutes(.seconds(seconds)) == text)
    }

    @Test func `a clock has hours, minutes and whole seconds`() {
        #expect(ClockText.string(.seconds(3_723)) == "1:02:03")
        let durations: [Duration] = [.seconds(-1), .milliseconds(900), .milliseconds(59_990), .seconds(3_600)]
        #expect(durations.map(ClockText.string) == ["0:00:00", "0:00:00", "0:00:59", "1:00:00"])
    }
}
