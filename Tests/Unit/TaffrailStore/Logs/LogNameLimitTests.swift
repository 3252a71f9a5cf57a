#if Store
import Taffrail
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// Names that a sender makes up.
@Suite(.mayBlock) struct LogNameLimitTests {
    @Test func `a sender that makes up names gets so many in a day, and its records are kept`() throws {
        let folder = TemporaryDirectory()
        let logs = folder.logs
        logs.setNameLimit(3)
        let day: Int64 = 86_400_000_000_000
        func save(_ range: Range<Int>, after start: Int64 = 0) throws -> LogStore.Saved {
            var records = LogLines.records(range)
            for index in records.indices {
                let number = range.lowerBound + index
                records[index].logger = "net.\(number)"
                records[index].device = number % 2 == 0 ? "" : "ferry"
                records[index].eventName = "made.up.\(number % 5)"
                records[index].arrival = Timestamp(nanoseconds: RecordPool.start + start)
            }
            return try logs.save(records)
        }
        #expect(try save(0..<3).limited == 0)
        #expect(try save(3..<8).limited == 5)
        #expect(logs.status.first { $0.key == "limited" }?.value == 5)
        #expect(try folder.messages("logger:net").count == 3)
        #expect(try folder.messages("logger:taffrail.other") == (3..<8).map { "line \($0)" })
        #expect(try folder.messages("taffrail.other.logger=net.4") == ["line 4"])
        // Names that are known are none of them, and words are found by what is stored.
        #expect(try folder.messages("event:made.up.1") == ["line 1", "line 6"])
        #expect(try folder.messages("event:taffrail.other") == ["line 3", "line 4"])
        #expect(try folder.messages("\"made up\"").count == 6)
        #expect(try folder.messages("device:ferry").count == 4)
        // The same on the same day, also after a restart; more on the next one.
        try logs.close()
        #expect(try save(8..<10).limited == 2)
        #expect(try save(10..<13, after: day).limited == 0)
        #expect(try save(13..<14, after: day).limited == 1)
        // One name, again and again, is accepted on the next day.
        for (number, after, limited) in [(20, day, 1), (21, 2 * day, 0)] {
            var record = LogLines.records(number..<number + 1)
            record[0].logger = "always"
            record[0].arrival = Timestamp(nanoseconds: RecordPool.start + after)
            #expect(try logs.save(record).limited == limited)
        }
        #expect(try folder.messages("logger:always") == ["line 21"])
        // A record that is repeated is dropped as ever.
        #expect(try save(13..<14, after: day).repeated == 1)
        try logs.close()
        try folder.expectSound()
    }
}
#endif
