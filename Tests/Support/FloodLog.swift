internal import Glibc

/// Compares the log of the test subject's flood with the acknowledged records, by rounds.
///
/// It reads millions of lines in a debug build, where collections, strings and dictionaries would take most of the
/// time. Lines are therefore read through a pointer, and the progress of all threads is kept in arrays.
package struct FloodLog {
    /// Lines that no thread of a round wrote: torn, mixed, foreign.
    package private(set) var torn: [Substring] = []
    /// Lines that occur more than once.
    package private(set) var doubled = 0
    /// Lines that precede an earlier line of their thread, or skip one.
    package private(set) var misplaced = 0

    /// The names of the rounds, in the order of their first lines.
    private var rounds: [String] = []
    private var indices: [String: Int] = [:]
    /// The index of the last line's round.
    private var current = 0
    /// For each thread: the number of lines, the last number in the log, and the number of skipped ones before it.
    private var counts: [UInt64] = []
    private var ends: [UInt64] = []
    private var gaps: [UInt64] = []
    private let isWhole: Bool

    private static let threads = 4

    /// The text after the mark in lines of other programs, in the order of the log.
    package private(set) var others: [String] = []

    /// Reads lines in the order of the log.
    ///
    /// - Parameters:
    ///   - isWhole: Whether no line was deleted. Otherwise records that threads of the first line's round lack before
    ///     their first line count as deleted.
    ///   - mark: The text of lines of other programs from their first bracket on.
    package init(_ text: String, isWhole: Bool = true, except mark: String? = nil) {
        self.isWhole = isWhole
        var text = text
        text.withUTF8 { bytes in
            guard var start = bytes.baseAddress else { return }
            let end = start + bytes.count
            while start < end {
                let newline = memchr(start, 10, end - start).map {
                    UnsafePointer($0.assumingMemoryBound(to: UInt8.self))
                }
                let line = UnsafeBufferPointer(start: start, count: (newline ?? end) - start)
                if let mark, let other = Self.text(after: mark, in: line) {
                    others.append(other)
                } else {
                    take(line)
                }
                start = (newline ?? end) + 1
            }
        }
    }

    /// The round of the first line.
    package var oldestRound: String? { rounds.first }

    /// The number of lines of a round.
    package func found(round: String) -> UInt64 { sum(counts, round) }

    /// The number of record numbers that lines of a round skip: only dropped records may be missing there.
    package func leftOut(round: String) -> UInt64 { sum(gaps, round) }

    /// Whether only these threads have lines.
    package func isOnly(thread: Int) -> Bool {
        counts.indices.allSatisfy { $0 % Self.threads == thread || counts[$0] == 0 }
    }

    /// Acknowledged records that are not in the log.
    ///
    /// - Parameter acknowledged: By `round/thread`.
    package func lost(acknowledged: [String: UInt64]) -> UInt64 {
        acknowledged.reduce(0) { lost, entry in
            let parts = entry.key.split(separator: "/")
            let end = indices[String(parts[0])].flatMap { index in
                Int(parts[1]).map { ends[index * Self.threads + $0] }
            }
            return lost + (entry.value > end ?? 0 ? entry.value - (end ?? 0) : 0)
        }
    }

    private func sum(_ values: [UInt64], _ round: String) -> UInt64 {
        guard let first = indices[round].map({ $0 * Self.threads }) else { return 0 }
        return values[first..<(first + Self.threads)].reduce(0, +)
    }

    private static func text(after mark: String, in line: UnsafeBufferPointer<UInt8>) -> String? {
        guard let start = line.baseAddress, let bracket = memchr(start, 0x5D, line.count) else { return nil }
        let (length, rest) = (mark.utf8.count, line.count - (UnsafeRawPointer(bracket) - UnsafeRawPointer(start)))
        guard length <= rest, memcmp(bracket, mark, length) == 0 else { return nil }
        return String(decoding: UnsafeRawBufferPointer(start: bracket + length, count: rest - length), as: UTF8.self)
    }

    private mutating func take(_ line: UnsafeBufferPointer<UInt8>) {
        guard let start = line.baseAddress, let written = FloodLine(start, start + line.count) else {
            let text = String(decoding: line, as: UTF8.self)
            if !text.contains("[WARNING] dropped") { torn.append(text[...]) }
            return
        }
        select(written.round)
        let index = current * Self.threads + written.thread
        counts[index] += 1
        let last = ends[index] > 0 || isWhole || current > 0 ? ends[index] : written.number - 1
        if written.number <= last {
            doubled += 1
            return
        }
        if written.number > last + 1 {
            misplaced += 1
            gaps[index] += written.number - last - 1
        }
        ends[index] = written.number
    }

    /// Makes the round of a line the current one, which is usually the case already.
    private mutating func select(_ round: UnsafeBufferPointer<UInt8>) {
        let isCurrent =
            current >= rounds.count
            ? false
            : rounds[current].utf8.withContiguousStorageIfAvailable { name in
                guard name.count == round.count, let first = name.baseAddress, let other = round.baseAddress else {
                    return false
                }
                return memcmp(first, other, name.count) == 0
            }
        guard isCurrent != true else { return }
        let name = String(decoding: round, as: UTF8.self)
        if let index = indices[name] {
            current = index
            return
        }
        current = rounds.count
        indices[name] = current
        rounds.append(name)
        let none = [UInt64](repeating: 0, count: Self.threads)
        (counts, ends, gaps) = (counts + none, ends + none, gaps + none)
    }
}
