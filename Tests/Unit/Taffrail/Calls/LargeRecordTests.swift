import Taffrail
import TaffrailTestSupport
import Testing

/// Records as large as the queue takes, and larger ones.
@Suite(.mayBlock) struct LargeRecordTests {
    /// The largest record is a quarter of the capacity.
    private static let largest = 16 << 10
    private let log = MemoryLog(capacity: 64 << 10)

    @Test func `a message of 1 MiB is kept whole if the queue is large enough`() {
        let large = MemoryLog(capacity: 8 << 20)
        let text = String(repeating: "0123456789abcdef", count: 1 << 16)
        large.logger.info("\(text)", ["size": LogValue(text.utf8.count)])
        large.logger.info("next")
        #expect(large.messages == [text, "next"])
        #expect(large.records[0]["taffrail.truncated"] == nil)
    }

    @Test func `a logger's name that is longer than a record can store is cut at a character`() throws {
        let large = MemoryLog(capacity: 8 << 20)
        large.pipeline.logger(String(repeating: "é", count: 40_000)).info("m", ["kept": "yes"])
        let record = try #require(large.records.first)
        #expect(record.logger == String(repeating: "é", count: 32_767))
        #expect(record.message == "m" && record["kept"] == "yes" && record.eventName == nil && record.trace == nil)
        #expect(record.source?.file.hasSuffix("LargeRecordTests.swift") == true)
    }

    @Test func `a longer message is cut at a character and marked`() {
        for character in ["a", "é", "€", "🌊"] {
            let text = String(repeating: character, count: 20_000)
            log.logger.info("\(text)", ["kept": "yes"])
            log.logger.info(text)
        }
        let records = log.records
        #expect(records.count == 8)
        for (index, record) in records.enumerated() {
            let character = ["a", "é", "€", "🌊"][index / 2]
            let size = record.message.utf8.count
            #expect(record.message == String(repeating: character, count: size / character.utf8.count))
            #expect(size > Self.largest - 512 && size < Self.largest)
            #expect(record["taffrail.truncated"] == true)
            #expect(record["kept"] == (index % 2 == 0 ? "yes" : nil))
            #expect(record.source?.file.hasSuffix("LargeRecordTests.swift") == true)
        }
    }

    @Test(arguments: [1, 30, 600, 700, 4_000])
    func `a name has space after a message that ends at the end of a thread's memory`(nameLength: Int) {
        let log = MemoryLog(capacity: 8 << 20)
        let logger = log.pipeline.logger(String(repeating: "n", count: nameLength))
        // A thread begins with a page, of which the last 1024 bytes are for the fields after the message.
        for size in 2_950...3_050 {
            OwnThread { logger.info("\(String(repeating: "x", count: size))", ["size": .int(Int64(size))]) }.join()
        }
        let records = log.records
        #expect(records.map(\.message.utf8.count) == Array(2_950...3_050))
        #expect(records.allSatisfy { $0["size"] == .int(Int64($0.message.utf8.count)) })
        #expect(records.allSatisfy { $0.logger.utf8.count == nameLength && $0.source?.line == records[0].source?.line })
    }

    @Test func `around the limit nothing is lost, and only the excess is truncated`() {
        var wasCut = false
        for size in (Self.largest - 400)...Self.largest {
            log.logger.info("\(String(repeating: "x", count: size))")
        }
        let records = log.records
        #expect(records.count == 401)
        for (index, record) in records.enumerated() {
            let size = Self.largest - 400 + index
            let isCut = record["taffrail.truncated"] == true
            #expect(isCut == (record.message.utf8.count < size))
            #expect(isCut || !wasCut)
            wasCut = isCut
        }
        #expect(wasCut)
    }

    @Test func `huge attributes go from the last one on, and the message stays`() {
        let kilobyte = String(repeating: "v", count: 1024)
        log.logger.info("many", LogAttributes((0..<100).map { (key: "key\($0)", value: LogValue(kilobyte)) }))
        log.logger.info("one", ["huge": LogValue(String(repeating: "h", count: 1 << 20)), "small": 1])
        log.logger.info(
            "\(String(repeating: "m", count: 1 << 20))", ["huge": .bytes([UInt8](repeating: 1, count: 1 << 20))])
        log.logger.info("after")
        let records = log.records
        #expect(records.map(\.message).prefix(2) == ["many", "one"])
        let kept = records[0].attributes.dropLast()
        #expect(kept.map(\.key) == (0..<kept.count).map { "key\($0)" })
        #expect(kept.count > 10 && kept.allSatisfy { $0.value == .string(kilobyte) })
        #expect(records[0].attributes.last == LogValueEntry("taffrail.truncated", true))
        #expect(records[1].attributes == [LogValueEntry("taffrail.truncated", true)])
        #expect(records[2].message.utf8.count > Self.largest / 4)
        #expect(records[3].message == "after" && records[3].attributes == [])
    }

    @Test func `names longer than the largest record do no harm`() {
        let name = String(repeating: "n", count: 60_000)
        log.pipeline.logger(name).info("from a long name", ["a": 1])
        log.logger.info("after")
        #expect(log.messages == ["from a long name", "after"])
    }
}
