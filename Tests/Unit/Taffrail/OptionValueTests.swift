import Taffrail
import Testing

@Suite struct OptionValueTests {
    @Test(arguments: [
        ("0", 0), ("512", 512), ("64KiB", 65_536), ("10MiB", 10_485_760), ("1.5 GiB", 1_610_612_736),
        ("2GB", 2_000_000_000), ("10M", 10_485_760), ("7B", 7), ("0.000000001GB", 1),
        ("8388607.999999999TiB", 9_223_372_036_854_774_708),
    ]) func `a size reads with its unit`(text: String, bytes: Int) {
        #expect(ByteSize(text)?.bytes == bytes)
    }

    @Test(arguments: [
        "", "MiB", "ten", "10 apples", "-5", "1.", ".5", "1..5K", "1.2.3K", "99999999999T", "10MiB!", "1 2", "1e3",
        "1é",
        "1.0000000001K", "8388608TiB", "9223372036854775808",
    ])
    func `an invalid size is refused`(text: String) {
        #expect(ByteSize(text) == nil)
    }

    @Test func `a size prints in the largest unit that divides it and reads back`() {
        #expect(ByteSize.mebibytes(10).description == "10MiB")
        #expect(ByteSize.bytes(1500).description == "1500B")
        for bytes in [0, 1, 1023, 1024, 1 << 30, .max] {
            #expect(ByteSize(ByteSize.bytes(bytes).description)?.bytes == bytes)
        }
        #expect(ByteSize.gibibytes(.max).bytes == .max)
    }

    @Test(arguments: [
        ("0", 0), ("250ms", 250_000_000), ("30s", 30_000_000_000), ("1h30m", 5_400_000_000_000),
        ("1.5h", 5_400_000_000_000), ("2 d", 172_800_000_000_000), ("1w", 604_800_000_000_000),
        ("5 min", 300_000_000_000),
        ("7us 3ns", 7003), ("7µs", 7000), ("1s ", 1_000_000_000),
    ]) func `a time reads with its unit`(text: String, nanoseconds: Int64) {
        #expect(DurationText.duration(text)?.nanoseconds == nanoseconds)
    }

    @Test(arguments: ["", "5", "s", "5 fortnights", "1h 30", "-1s", "300000d", "200000d200000d"])
    func `an invalid duration is refused`(text: String) {
        #expect(DurationText.duration(text) == nil)
    }

    @Test func `a time prints with its units and reads back`() {
        #expect(DurationText.text(.seconds(5400)) == "1h30m")
        #expect(DurationText.text(.zero) == "0s")
        for nanoseconds: Int64 in [1, 999_999_999, 86_400_000_000_001, .max] {
            #expect(DurationText.duration(DurationText.text(.nanoseconds(nanoseconds)))?.nanoseconds == nanoseconds)
        }
    }

    @Test func `a name that two plugins want is an error`() {
        enum First: Plugin {
            static func register(in registry: inout PluginRegistry) throws {
                try registry.addProcessor("twin") { (_: None, _) in Nothing() }
            }
        }
        struct None: PluginOptions {}
        struct Nothing: Processor {
            mutating func process(_ record: inout LogRecord) -> Verdict { .keep }
        }
        let error = #expect(throws: PluginRegistry.NameTaken.self) { try PluginRegistry([First.self, First.self]) }
        #expect(error?.description == "two plugins are named \"twin\"")
    }
}
