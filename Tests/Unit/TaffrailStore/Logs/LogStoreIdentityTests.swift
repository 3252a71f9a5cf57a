#if Store
import Taffrail
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// Which records are the same, and which names.
@Suite(.mayBlock) struct LogStoreIdentityTests {
    @Test func `names that are equal as strings, but not in their bytes, are different names`() throws {
        let folder = TemporaryDirectory()
        var records = LogLines.records(0..<4)
        for index in records.indices {
            let name = index % 2 == 0 ? "caf\u{E9}" : "cafe\u{301}"
            records[index].eventName = name
            records[index].device = name
            records[index].logger = name
            records[index].run = name
            records[index].sequence = UInt64(index / 2)
            records[index].attributes = [LogValueEntry("city", .string(name))]
        }
        #expect(try folder.logs.save(records).inserted == 4)
        let reader = try folder.logReader
        #expect(try reader.devices().map(\.records) == [2, 2])
        for field in ["event", "logger", "city"] {
            let values = try reader.values(ValuesRequest(field))
            #expect(values.values.map(\.count) == [2, 2] && values.distinct == 2, "\(field)")
        }
        // Their words leave the index with them.
        #expect(try folder.logs.purge(before: .now, LogSelection(parsing: "event:cafe\u{301}")).records == 2)
        #expect(try folder.messages() == ["line 0", "line 2"])
        try folder.logs.close()
        try folder.expectSound()
    }

    @Test func `a sender that uses the number of another record does not suppress its own`() throws {
        let folder = TemporaryDirectory()
        var first = LogLines.records(0..<5, device: "", run: "1")
        for index in first.indices { first[index].runKind = .batch }
        var second = first
        for index in second.indices { second[index].message = "of another sender \(index)" }
        let logs = folder.logs
        #expect(try logs.save(first).inserted == 5)
        var saved = try logs.save(second)
        #expect(saved.inserted == 5 && saved.conflicting == 5 && saved.repeated == 0)
        // Sent again, both are known.
        saved = try logs.save(first + second)
        #expect(saved.inserted == 0 && saved.repeated == 10)
        #expect(try folder.messages().count == 10 && folder.messages("another").count == 5)
        #expect(logs.status.contains(LogValueEntry("conflicting", 5)))
        let stored = try folder.logReader.records(RecordRequest(LogSelection(parsing: "another"))).records
        #expect(stored.allSatisfy { $0.sequence == nil && $0["taffrail.origin.seq"] != nil })
        try folder.logs.close()
        try folder.expectSound()
    }

    @Test func `a record without a time of its own is the same at another arrival`() throws {
        let folder = TemporaryDirectory()
        var records = LogLines.records(0..<3, device: "", run: "a batch")
        for index in records.indices { records[index].runKind = .batch }
        try folder.logs.save(records)
        for index in records.indices {
            records[index].time = Timestamp(nanoseconds: records[index].time.nanoseconds + 60_000_000_000)
            records[index].arrival = records[index].time
        }
        let saved = try folder.logs.save(records)
        #expect(saved.repeated == 3 && saved.inserted == 0)
        // One with a time of its own is not.
        records[0].arrival = Timestamp(nanoseconds: records[0].time.nanoseconds + 1)
        #expect(try folder.logs.save(records).conflicting == 1)
        #expect(try folder.messages().count == 4)
    }

    @Test func `a run that a sender claims is not one of this program`() throws {
        let folder = TemporaryDirectory()
        let own = LogLines.records(0..<3)
        var claimed = own
        for index in claimed.indices { claimed[index].runKind = .received }
        #expect(try folder.logs.save(claimed).inserted == 3)
        let saved = try folder.logs.save(own)
        #expect(saved.inserted == 3 && saved.conflicting == 0)
        #expect(try folder.messages("run:00000000000000aa").count == 6)
        #expect(try folder.messages("run:00000000000000ab").isEmpty)
    }

    @Test func `records of one time are next to each other, also with others in their millisecond`() throws {
        let folder = TemporaryDirectory()
        var records = LogLines.records(0..<11)
        // One late in the millisecond is saved first.
        records[0].time = Timestamp(nanoseconds: RecordPool.start + 900_000)
        for index in 1..<11 { records[index].time = Timestamp(nanoseconds: RecordPool.start + 5) }
        try folder.logs.save(records)
        #expect(try folder.messages() == (1..<11).map { "line \($0)" } + ["line 0"])
    }
}
#endif
