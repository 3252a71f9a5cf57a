import Testing

@testable import Taffrail

@Suite struct StretchSumTests {
    private static let lines = (0...70).map { String(repeating: "x", count: $0) + "\($0)" }

    private func sum(_ add: (inout StretchSum) -> Void) -> UInt64 {
        var sum = StretchSum()
        add(&sum)
        return sum.value
    }

    private func sum(ofBlocks blocks: [[String]]) -> UInt64 {
        sum { sum in
            for lines in blocks {
                let block = lines.map { $0 + "\n" }.joined()
                Array(block.utf8).withUnsafeBytes { sum.add($0) }
            }
        }
    }

    @Test func `the sum is the same however the lines came in blocks, and line by line`() {
        let whole = sum(ofBlocks: [Self.lines])
        #expect(sum(ofBlocks: Self.lines.map { [$0] }) == whole)
        #expect(sum(ofBlocks: [Array(Self.lines[..<3]), Array(Self.lines[3..<40]), Array(Self.lines[40...])]) == whole)
        let single = sum { sum in
            for line in Self.lines { Array((line + "\n").utf8).withUnsafeBytes { sum.add($0) } }
        }
        #expect(single == whole)
    }

    @Test func `a changed, moved, missing or joined line has another sum`() {
        let whole = sum(ofBlocks: [Self.lines])
        for index in Self.lines.indices.dropLast() {
            var changed = Self.lines
            changed[index] = "y" + changed[index].dropFirst()
            #expect(sum(ofBlocks: [changed]) != whole)
            var moved = Self.lines
            moved.swapAt(index, index + 1)
            #expect(sum(ofBlocks: [moved]) != whole)
            var missing = Self.lines
            missing.remove(at: index)
            #expect(sum(ofBlocks: [missing]) != whole)
            var joined = Self.lines
            let next = joined.remove(at: index + 1)
            joined[index] += next
            #expect(sum(ofBlocks: [joined]) != whole)
        }
    }
}
