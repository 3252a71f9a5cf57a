import Taffrail
import TaffrailText
import Testing

@Suite struct TimestampParserTests {
    private func nanoseconds(_ text: String) -> Int64? {
        var parser = TimestampParser(zone: .utc)
        var text = text
        return text.withUTF8 { bytes in
            var index = 0
            let time = parser.read(UnsafeRawBufferPointer(bytes), &index)
            return index == bytes.count ? time : nil
        }
    }

    @Test(arguments: [
        "2026-01-05T14:30:00Z", "2024-02-29 14:30:00.5+23:59", "2026-12-31T23:59:60,25-0530", "2026-04-30T00:00:00",
        "2026-02-29T14:30:00Z", "2026-02-31T14:30:00Z", "1900-02-29T14:30:00Z", "2026-04-31T00:00:00",
        "2026-00-05T14:30:00Z", "2026-13-05T14:30:00Z", "2026-01-00T14:30:00Z", "2026-01-32T14:30:00Z",
        "2026-01-05T24:00:00Z", "2026-01-05T14:60:00Z", "2026-01-05T14:30:61Z", "2026-01-05T14:30:00+24:00",
        "2026-01-05T14:30:00-00:60", "2026-01-05T14:30:00+9999", "2026-01-05T14:30:00+99:99",
        "2026-01-05T14:30:00+1", "2026-01-05T14:30:00-",
    ])
    func `a time exists if RFC 3339 has it`(text: String) {
        #expect(nanoseconds(text) == RFC3339.timestamp(text, zoneRequired: false)?.nanoseconds)
    }

    @Test func `a time that does not exist is not remembered`() {
        var parser = TimestampParser(zone: .utc)
        for text in ["2026-02-31T14:30:00Z", "2026-02-28T14:30:00Z", "2026-02-31T14:30:00Z"] {
            var text = text
            let time = text.withUTF8 { bytes in
                var index = 0
                return parser.read(UnsafeRawBufferPointer(bytes), &index)
            }
            #expect((time == nil) == text.contains("-31"))
        }
    }
}
