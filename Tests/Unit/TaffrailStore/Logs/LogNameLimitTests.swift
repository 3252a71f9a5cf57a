#if Store
import Taffrail
import TaffrailQuery
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailStore

/// Names that a sender makes up.
@Suite(.mayBlock) struct LogNameLimitTests {
    @Test func `a sender that makes up names gets so many in a day, and its records are kept`() throws {
        let folder = TemporaryDirectory()
        let logs = folder.logs
        logs.setNameLimit(3)
        let clock = ManualClock()
        func save(_ range: Range<Int>) throws -> LogStore.Saved {
            var records = LogLines.records(range)
            for index in records.indices {
                let number = range.lowerBound + index
                records[index].logger = "net.\(number)"
                records[index].device = number % 2 == 0 ? "" : "ferry"
                records[index].eventName = "made.up.\(number % 5)"
            }
            return try logs.save(records, ends: nil, mark: nil, now: clock.now.timestamp)
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
        clock.advance(by: .days(1))
        #expect(try save(10..<13).limited == 0)
        #expect(try save(13..<14).limited == 1)
        // One name, again and again, is accepted on the next day.
        for (number, limited) in [(20, 1), (21, 0)] {
            var record = LogLines.records(number..<number + 1)
            record[0].logger = "always"
            let saved = try logs.save(record, ends: nil, mark: nil, now: clock.now.timestamp)
            #expect(saved.limited == limited)
            clock.advance(by: .days(1))
        }
        #expect(try folder.messages("logger:always") == ["line 21"])
        // A record that is repeated is dropped as ever.
        #expect(try save(13..<14).repeated == 1)
        try logs.close()
        try folder.expectSound()
    }

    /// Saves a record with a new logger.
    ///
    /// - Returns: Whether the name was accepted.
    private func isAccepted(
        _ name: String, by logs: LogStore, at now: Timestamp, arrival: Timestamp? = nil
    ) throws -> Bool {
        let record = StoredRecord(time: now, arrival: arrival ?? now, level: .info, message: name, logger: name)
        return try logs.save([record], ends: nil, mark: nil, now: now).limited == 0
    }

    @Test func `a clock that was ahead limits names until the end of the day, no longer`() throws {
        let folder = TemporaryDirectory()
        let logs = folder.logs
        logs.setNameLimit(2)
        let (clock, ahead) = (ManualClock(), ManualClock())
        ahead.advance(by: .days(400))
        #expect(try isAccepted("a", by: logs, at: clock.now.timestamp))
        // The clock is wrong for a while.
        for (name, isNew) in [("b", true), ("c", true), ("d", false)] {
            #expect(try isAccepted(name, by: logs, at: ahead.now.timestamp) == isNew)
        }
        // Then right again: these were names of today, and there is no budget for each step of the clock.
        for _ in 0..<3 { #expect(try !isAccepted("e", by: logs, at: clock.now.timestamp)) }
        try logs.close()
        #expect(try !isAccepted("f", by: logs, at: clock.now.timestamp))
        clock.advance(by: .days(1))
        for (name, isNew) in [("g", true), ("h", true), ("i", false)] {
            #expect(try isAccepted(name, by: logs, at: clock.now.timestamp) == isNew)
        }
        try logs.close()
        try folder.expectSound()
    }

    @Test func `the time of a record decides neither`() throws {
        let folder = TemporaryDirectory()
        let logs = folder.logs
        logs.setNameLimit(1)
        let clock = ManualClock()
        let (early, late) = (ManualClock(Timestamp(nanoseconds: 0)), ManualClock())
        late.advance(by: .days(400))
        #expect(try isAccepted("a", by: logs, at: clock.now.timestamp, arrival: late.now.timestamp))
        #expect(try !isAccepted("b", by: logs, at: clock.now.timestamp, arrival: early.now.timestamp))
        #expect(try !isAccepted("c", by: logs, at: clock.now.timestamp, arrival: late.now.timestamp))
        clock.advance(by: .days(1))
        #expect(try isAccepted("d", by: logs, at: clock.now.timestamp, arrival: early.now.timestamp))
        try logs.close()
    }

    @Test func `the limit stays what it is after a deletion`() throws {
        let folder = TemporaryDirectory()
        let logs = folder.logs
        logs.setNameLimit(1)
        let now = ManualClock().now.timestamp
        #expect(try isAccepted("a", by: logs, at: now))
        #expect(try logs.clear().records == 1)
        #expect(try !isAccepted("b", by: logs, at: now))
        try logs.close()
    }
}
#endif
