import Testing

@testable import TaffrailReading

@Suite struct NumberedNameTests {
    @Test func `names of logrotate have a number or a date`() {
        for (name, base) in [
            ("app.log.1", "app.log"), ("app.log.12.gz", "app.log"), ("app.2", "app"), ("app.log-20260105", "app.log"),
            ("app.log-20240229.gz", "app.log"), ("app-20260105", "app"), ("my-app-2026010514", "my-app"),
            ("app.log-20260105-1767623400.gz", "app.log"), ("app.log-20260105-2026010514", "app.log"),
            ("app.log.1-20260105", "app.log.1"),
        ] {
            #expect(NumberedName(name)?.base == base, "\(name)")
            #expect(NumberedName(name)?.isCompressed == name.hasSuffix(".gz"), "\(name)")
        }
        #expect(NumberedName("app.log.3")?.number == 3)
        #expect(NumberedName("app.log.3")?.isDated == false)
        #expect(NumberedName("app.log-20260105")?.isDated == true)
    }

    @Test func `other names are not taken for those of logrotate`() {
        for name in [
            "app.log", "app.log.gz", ".1", "app.log.x1", "app.log.1234567890", "-20260105", "20260105",
            "app.log-2026015", "app.log-20261301", "app.log-20260230", "app.log-2026010524", "app.log-20260105.bak",
            "app.log-20260105-176762340", "app.log-20261301-1767623400", "app.log20260105", "app.log-20260105.xz",
            "app-20260105T143000.123Z-0001.log", "app-20260105T143000.123Z-0001", "app-20260105T143000.123Z-0001.gz",
        ] {
            #expect(NumberedName(name)?.text == nil, "\(name)")
        }
    }
}
