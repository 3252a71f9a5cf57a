internal import Taffrail
internal import TaffrailText

/// Records of rings that have been shown already: when a recovery writes them to the followed log, they are not shown
/// again.
struct ExpectedLines {
    private var left: [Int: Int] = [:]
    private var times: ClosedRange<Int64>?
    private let records = LineParser()
    private let output = LineOutput(.text, isForTerminal: false)
    private var heads = LineHeadReader()

    /// Whether no more lines are expected.
    var isEmpty: Bool { left.isEmpty }

    /// Adds records of a ring that have been shown.
    mutating func add(_ ring: RingLines) {
        ring.forEach { line, head in
            left[key(line, head), default: 0] += 1
            let time = head.time ?? 0
            times = min(times?.lowerBound ?? time, time)...max(times?.upperBound ?? time, time)
        }
    }

    /// Returns whether a line has been shown before; each shown line matches once.
    mutating func take(_ line: UnsafeRawBufferPointer, _ head: LineHead) -> Bool {
        // Lines have milliseconds, records nanoseconds.
        let slack: Int64 = 1_000_000
        guard let time = head.time, let times, time >= times.lowerBound.subtractingClamped(slack),
            time <= times.upperBound
        else { return false }
        let key = key(line, head)
        guard let count = left[key] else { return false }
        left[key] = count == 1 ? nil : count - 1
        return true
    }

    /// Returns the identity of a record in every format: its millisecond, its level, and the rest as text.
    private mutating func key(_ line: UnsafeRawBufferPointer, _ head: LineHead) -> Int {
        var hasher = Hasher()
        hasher.combine(CivilTime.floorDivide(head.time ?? 0, by: 1_000_000))
        hasher.combine(head.level)
        if head.shape == .text {
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: line[head.body...]))
        } else {
            var text = LineBuffer()
            output.encode(records.record(line, head, time: 0), to: &text)
            let shown = UnsafeRawBufferPointer(rebasing: text.bytes.dropLast())
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: shown[heads.read(shown).body...]))
        }
        return hasher.finalize()
    }
}
