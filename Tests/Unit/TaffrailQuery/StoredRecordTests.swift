import Taffrail
import TaffrailGeo
import Testing

@testable import TaffrailQuery

@Suite struct StoredRecordTests {
    private static func record(_ attributes: LogValueEntry...) -> StoredRecord {
        StoredRecord(
            LogRecord(
                timestamp: Timestamp(nanoseconds: 5), sequence: 7, run: RingID(0xAA), level: .info, message: "line",
                attributes: attributes, logger: "net"), device: "harbour")
    }

    @Test func `a record of this program has its own names`() {
        let record = Self.record(LogValueEntry("status", 500))
        #expect(record.device == "harbour" && record.runKind == .own && record.sequence == 7)
        #expect(record.run == "\(RingID(0xAA))" && record.attributes.count == 1)
    }

    @Test func `a received record is that of its sender, never of this machine`() {
        let time = Timestamp(nanoseconds: 3)
        let record = Self.record(
            LogValueEntry(OriginAttributes.time, .date(time)), LogValueEntry(OriginAttributes.run, "00000000000000bb"),
            LogValueEntry(OriginAttributes.sequence, 9), LogValueEntry("status", 500))
        #expect(record.device.isEmpty && record.time == time && record.arrival.nanoseconds == 5)
        #expect(record.run == "00000000000000bb" && record.sequence == 9 && record.runKind == .received)
        #expect(record.attributes.map(\.key) == ["status"])
        // A sender that claims the run of the receiver.
        let guessed = Self.record(
            LogValueEntry(OriginAttributes.run, .string("\(RingID(0xAA))")),
            LogValueEntry(OriginAttributes.sequence, .string("18446744073709551615")),
            LogValueEntry(OriginAttributes.device, "tender"))
        #expect(guessed.runKind == .received && guessed.sequence == .max && guessed.device == "tender")
    }

    @Test func `what does not identify a record stays an attribute`() {
        for attributes in [
            [LogValueEntry(OriginAttributes.sequence, 9)], [LogValueEntry(OriginAttributes.run, "a run")],
            [LogValueEntry(OriginAttributes.batch, "a batch")],
            [LogValueEntry(OriginAttributes.run, 5), LogValueEntry(OriginAttributes.sequence, "many")],
        ] {
            var record = Self.record()
            record = StoredRecord(
                LogRecord(sequence: 7, run: RingID(0xAA), level: .info, message: "line", attributes: attributes),
                device: "harbour")
            #expect(record.attributes == attributes && record.runKind == .own && record.sequence == 7)
        }
        let both = Self.record(
            LogValueEntry(OriginAttributes.batch, "a batch"), LogValueEntry(OriginAttributes.run, "a run"),
            LogValueEntry(OriginAttributes.sequence, 9))
        #expect(both.run == "a run" && both.attributes == [LogValueEntry(OriginAttributes.batch, "a batch")])
        let batch = Self.record(
            LogValueEntry(OriginAttributes.batch, "a batch"), LogValueEntry(OriginAttributes.sequence, 9))
        #expect(batch.run == "a batch" && batch.runKind == .batch && batch.attributes.isEmpty)
    }

    @Test func `the device that has sent a record is preferred to the one that it is about`() {
        let record = Self.record(
            LogValueEntry(OriginAttributes.device, "phone"), LogValueEntry(OriginAttributes.deviceID, "ferry"))
        #expect(record.device == "phone")
        #expect(record.attributes == [LogValueEntry(OriginAttributes.deviceID, "ferry")])
    }

    @Test func `names of attributes are compared by their bytes`() {
        let record = StoredRecord(
            time: Timestamp(nanoseconds: 0), level: .info, message: "", attributes: [LogValueEntry("caf\u{E9}", 1)])
        #expect(record["caf\u{E9}"] == 1 && record["cafe\u{301}"] == nil)
    }
}
