import Testing

@testable import Taffrail

@Suite struct CountedDropsTests {
    /// Counts the lacking ones of records of 10 bytes each in a batch, as dropped by processors.
    private func count(_ counted: inout CountedDrops, from start: UInt64, to end: UInt64) -> [UInt64] {
        defer { counted.add(from: start, to: end) }
        return stride(from: start + 10, through: end, by: 10).filter { counted.lacks($0, inBatchAt: start) }
    }

    @Test func `records count for the first sink that gets them`() {
        var counted = CountedDrops(upTo: 10)
        #expect(count(&counted, from: 0, to: 30) == [20, 30])
        #expect(count(&counted, from: 0, to: 30) == [])
        #expect(count(&counted, from: 20, to: 50) == [40, 50])
    }

    @Test func `new processors count the records that sinks lack, whichever sink is first`() {
        var counted = CountedDrops(upTo: 0)
        #expect(count(&counted, from: 0, to: 50) == [10, 20, 30, 40, 50])
        counted.recount(from: 10)
        // The sink that lacks none, then one that lacks some, then the one that lacks the most.
        #expect(count(&counted, from: 50, to: 70) == [60, 70])
        #expect(count(&counted, from: 30, to: 70) == [])
        #expect(count(&counted, from: 10, to: 40) == [20, 30, 40])
        #expect(count(&counted, from: 30, to: 80) == [50, 80])
        #expect(count(&counted, from: 10, to: 80) == [])
    }

    @Test func `new processors count nothing again if no sink lacks records`() {
        var counted = CountedDrops(upTo: 0)
        #expect(count(&counted, from: 0, to: 50).count == 5)
        counted.recount(from: 50)
        #expect(count(&counted, from: 50, to: 60) == [60])
        #expect(count(&counted, from: 0, to: 60) == [])
    }
}
