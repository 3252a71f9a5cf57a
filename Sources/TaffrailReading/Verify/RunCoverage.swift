internal import Taffrail

/// The numbers of one run's records that have been found, and the ranges with fewer lines than numbers.
struct RunCoverage {
    /// Records of the run in lines that are not in the index.
    struct Unindexed {
        /// The number of the first.
        let first: UInt64
        /// The number of such lines in their file, of all runs.
        let lines: UInt64
    }

    let run: RingID
    /// The numbers found, in order; adjacent ranges are merged.
    private(set) var found: [ClosedRange<UInt64>] = []
    /// Ranges in which some numbers have no line; for text, which ones is unknown.
    private(set) var thin: [(range: ClosedRange<UInt64>, missing: UInt64)] = []
    private(set) var lines: UInt64 = 0
    /// Records in lines that are not in the index: they may have any numbers up to the next number found.
    private(set) var unindexed: [Unindexed] = []
    /// Lines whose number had been found before.
    private(set) var doubled: UInt64 = 0
    /// The pending numbers of the queue, and whether its run is alive.
    private(set) var isAlive = false
    private(set) var pending: ClosedRange<UInt64>?
    /// The files that contain records of the run.
    private(set) var files: Set<String> = []
    /// The last number that the run logged before the oldest file; 0 if none.
    var origin: UInt64 = 0

    init(_ run: RingID) { self.run = run }

    /// Whether its lines have numbers. Records written one at a time without a queue, as by `taffrail log`, have none,
    /// and no run.
    var isNumbered: Bool { run != .none }

    /// Adds one line's number.
    mutating func add(_ number: UInt64, in file: String) {
        lines += 1
        files.insert(file)
        if isNumbered { insert(number...number) }
    }

    /// Adds a stretch of lines.
    ///
    /// - Parameter count: The number of lines; less than the length of the range if some are missing.
    mutating func add(_ range: ClosedRange<UInt64>, lines count: UInt64, in file: String) {
        lines += count
        files.insert(file)
        guard isNumbered else { return }
        let numbers = range.upperBound - range.lowerBound + 1
        if count < numbers { thin.append((range, numbers - count)) }
        if count > numbers { doubled += count - numbers }
        insert(range)
    }

    /// Adds the pending numbers of the queue. Those written since are not counted again.
    mutating func add(pending range: ClosedRange<UInt64>, isAlive: Bool) {
        self.isAlive = isAlive
        let first = max(range.lowerBound, (found.last?.upperBound ?? 0) + 1)
        guard first <= range.upperBound else { return }
        pending = first...range.upperBound
        insert(first...range.upperBound)
    }

    /// Adds records in lines that are not in the index.
    ///
    /// - Parameters:
    ///   - lines: The number of such lines in their file, of all runs.
    ///   - number: The number of the first record.
    mutating func add(unindexed lines: UInt64, from number: UInt64) {
        unindexed.append(Unindexed(first: number, lines: lines))
    }

    private mutating func insert(_ range: ClosedRange<UInt64>) {
        guard let last = found.last else { return found.append(range) }
        if range.lowerBound == last.upperBound + 1 {
            found[found.count - 1] = last.lowerBound...range.upperBound
        } else if range.lowerBound > last.upperBound {
            found.append(range)
        } else {
            insertEarlier(range)
        }
    }

    /// Adds numbers that do not follow all others: files were read in another order, or lines were duplicated.
    private mutating func insertEarlier(_ range: ClosedRange<UInt64>) {
        var merged = range
        var rest: [ClosedRange<UInt64>] = []
        for other in found {
            let isApart =
                other.upperBound < merged.lowerBound && merged.lowerBound - other.upperBound > 1
                || other.lowerBound > merged.upperBound && other.lowerBound - merged.upperBound > 1
            if isApart {
                rest.append(other)
                continue
            }
            if other.overlaps(range) {
                let first = max(other.lowerBound, range.lowerBound)
                doubled += min(other.upperBound, range.upperBound) - first + 1
            }
            merged = min(merged.lowerBound, other.lowerBound)...max(merged.upperBound, other.upperBound)
        }
        found = (rest + [merged]).sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Returns the gaps in the numbers found, starting at 1.
    ///
    /// - Parameter last: The last number that the run assigned, if known.
    func gaps(upTo last: UInt64?) -> [ClosedRange<UInt64>] {
        var gaps: [ClosedRange<UInt64>] = []
        var next: UInt64 = 1
        for range in found {
            if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if let last, last >= next { gaps.append(next...last) }
        return gaps
    }
}
