import Testing

@testable import Taffrail

@Suite struct CountedDropsTests {
    /// Counts the lacking ones of records of 10 bytes each in a batch, as dropped by processors.
    private func count(_ counted: inout CountedDrops, from start: UInt64, to end: UInt64) -> [UInt64] {
        defer { counted.add(from: start, to: end) }
        return stride(from: start + 10, through: end, by: 10).filter { counted.lacks($0) }
    }

    @Test func `records count for the first sink that gets them`() {
        var counted = CountedDrops(upTo: 10)
        #expect(count(&counted, from: 0, to: 30) == [20, 30])
        #expect(count(&counted, from: 0, to: 30) == [])
        #expect(count(&counted, from: 20, to: 50) == [40, 50])
        #expect(counted.end == 50)
    }

    @Test func `records that a sink lacks count, even if another one is ahead`() {
        var counted = CountedDrops(upTo: 10)
        // The sink that lacks none, then one that lacks some, then the one that lacks the most.
        #expect(count(&counted, from: 50, to: 70) == [60, 70])
        #expect(count(&counted, from: 30, to: 40) == [40])
        #expect(count(&counted, from: 30, to: 70) == [50])
        // A recovery would count again what has been counted after this position.
        #expect(counted.end == 10)
        #expect(count(&counted, from: 10, to: 40) == [20, 30])
        #expect(counted.end == 70)
        #expect(count(&counted, from: 30, to: 80) == [80])
        #expect(count(&counted, from: 10, to: 80) == [])
    }

    @Test func `damaged records cause no gaps`() {
        var counted = CountedDrops(upTo: 10)
        #expect(count(&counted, from: 10, to: 30) == [20, 30])
        counted.skip(from: 30, to: 50)
        #expect(count(&counted, from: 50, to: 70) == [60, 70])
        #expect(counted.end == 70)
        // No sink has got what is before these.
        counted.skip(from: 90, to: 100)
        #expect(count(&counted, from: 70, to: 100) == [80, 90, 100])
    }
}
