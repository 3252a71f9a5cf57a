import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailText

@Suite struct RFC3339Tests {
    @Test func `any decimals and offsets are read`() {
        let moment = Int64(1_767_623_401)
        for (text, nanoseconds) in [
            ("2026-01-05T14:30:01Z", 0), ("2026-01-05t14:30:01z", 0), ("2026-01-05 14:30:01.5Z", 500_000_000),
            ("2026-01-05T17:30:01+03:00", 0), ("2026-01-05T09:00:01.25-0530", 250_000_000),
            ("2026-01-05T14:30:01.123456789123Z", 123_456_789), ("2026-01-05T14:30:01.000000001Z", 1),
        ] {
            #expect(RFC3339.timestamp(text)?.nanoseconds == moment * 1_000_000_000 + Int64(nanoseconds), "\(text)")
        }
        #expect(RFC3339.timestamp("2026-01-05T14:30:01") == nil)
        #expect(RFC3339.timestamp("2026-01-05T14:30:01", zoneRequired: false)?.nanoseconds == moment * 1_000_000_000)
    }

    @Test func `a leap second is the next second's start`() {
        #expect(RFC3339.timestamp("2016-12-31T23:59:60Z") == RFC3339.timestamp("2017-01-01T00:00:00Z"))
    }

    @Test(arguments: [
        "", "2026", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-05T24:00:00Z",
        "2026-01-05T14:60:00Z", "2026-01-05T14:30:61Z", "2026-01-05T14:30:01.Z", "2026-01-05T14:30:01Zx",
        "0001-01-01T00:00:00Z", "9999-01-01T00:00:00Z", "2026-1-5T14:30:01Z", "2026-01-05T14:30:01+25:00",
        "2026-01-05T14:30:01+24:00", "2026-01-05T14:30:01-00:60", "2026-01-05T14:30:01+1", "2026-01-05T14:30:01+",
    ])
    func `an invalid time is refused`(text: String) { #expect(RFC3339.timestamp(text) == nil) }

    @Test func `times are formatted as by Foundation, and parsed back`() throws {
        var generator = SeededGenerator(seed: 5)
        let formatter = ISO8601DateFormatter()
        for _ in 0..<5_000 {
            let seconds = Int64.random(in: -9_200_000_000...9_200_000_000, using: &generator)
            let time = Timestamp(nanoseconds: seconds * 1_000_000_000)
            let text = RFC3339.string(time, decimals: 0)
            #expect(text == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
            #expect(RFC3339.timestamp(text) == time)
        }
        #expect(RFC3339.string(Timestamp(nanoseconds: -1), decimals: 9) == "1969-12-31T23:59:59.999999999Z")
        #expect(RFC3339.string(Timestamp(nanoseconds: 1_999_999), decimals: 3) == "1970-01-01T00:00:00.001Z")
    }
}
