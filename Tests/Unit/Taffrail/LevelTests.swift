import Taffrail
import Testing

@Suite struct LevelTests {
    @Test func `levels map to OpenTelemetry and syslog as the field has them`() {
        #expect(Level.allCases.map(\.openTelemetrySeverity) == [1, 5, 9, 10, 13, 17, 18])
        #expect(Level.allCases.map(\.syslogPriority) == [7, 7, 6, 5, 4, 3, 2])
    }

    @Test func `a level's name reads back, in any case and in its short forms`() {
        for level in Level.allCases { #expect(Level(name: level.name.uppercased()) == level) }
        #expect(Level(name: "warn") == .warning)
        #expect(Level(name: "loud") == nil)
    }
}
