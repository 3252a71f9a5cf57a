internal import Taffrail

/// Why sequence numbers of one run are missing from a log, and which are missing for an unknown reason.
///
/// The ledger records drops as a count within a range of numbers. Gaps found in the range are compared with the count,
/// so that a line removed by hand is not mistaken for a dropped record.
struct GapReport {
    /// A range of numbers with recorded drops.
    private struct Note {
        var numbers: ClosedRange<UInt64>
        var drops: [Ledger.Drop]
        /// How many gaps have been found in it.
        var found: UInt64 = 0
        var count: UInt64 { drops.reduce(0) { $0 &+ $1.count } }
        var isLoss: Bool { drops.contains { !$0.reason.isIntended } }
    }

    private var notes: [Note] = []
    private let unwritten: [ClosedRange<UInt64>]
    /// Drops whose numbers are unknown.
    private var loose: [Ledger.Drop] = []
    /// Records that never had a number.
    private var unnumbered: [Ledger.Drop] = []
    /// Missing records by reason; `nil`: unknown.
    private var findings: [(why: String?, isLoss: Bool, missing: [String])] = []
    /// The numbers that were removed on purpose, in order; if the last one is unknown, up to the next number found.
    let removed: [(numbers: ClosedRange<UInt64>, isOpen: Bool, why: String)]
    /// Whether files with unknown contents were removed on purpose.
    private let hasUnknownRemovals: Bool

    /// A line of the report.
    struct Line {
        let text: String
        /// Whether records are lost, rather than removed or dropped on purpose.
        let isLoss: Bool
        /// Whether it is unknown if records are missing.
        var isUnknown = false
        /// Whether it is about records without numbers, which may be missing from any file of the run.
        var isUnnumbered = false
    }
    private var unexplained: UInt64 = 0

    /// - Parameters:
    ///   - drops: The recorded drops for this log.
    ///   - unwritten: The numbers for which the configuration did not have the log, in order.
    ///   - removals: The records of the run that were removed on purpose.
    init(
        drops: [Ledger.Drop], unwritten: [ClosedRange<UInt64>], removals: [Ledger.Removal] = [],
        hasUnknownRemovals: Bool = false
    ) {
        self.unwritten = unwritten
        self.hasUnknownRemovals = hasUnknownRemovals
        removed = removals.compactMap { removal in
            guard let first = removal.first, removal.last.map({ $0 >= first }) ?? true else { return nil }
            let why = removal.reason == .cleared ? "removed when the log was cleared" : "removed by retention"
            return (first...(removal.last ?? first), removal.last == nil, why)
        }.sorted { $0.numbers.lowerBound < $1.numbers.lowerBound }
        for drop in drops {
            if drop.reason.isOfCallers {
                unnumbered.append(drop)
            } else if drop.sequences == nil {
                loose.append(drop)
                // A damaged record may not have had a number yet.
                if drop.reason == .damaged { unnumbered.append(drop) }
            }
        }
        let numbered = drops.compactMap { drop in drop.sequences.map { ($0, drop) } }
        for (numbers, drop) in numbered.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
            if let last = notes.last, numbers.lowerBound <= last.numbers.upperBound {
                notes[notes.count - 1].numbers =
                    last.numbers.lowerBound...max(last.numbers.upperBound, numbers.upperBound)
                notes[notes.count - 1].drops.append(drop)
            } else {
                notes.append(Note(numbers: numbers, drops: [drop]))
            }
        }
    }

    // MARK: Missing numbers

    /// Adds missing numbers.
    ///
    /// - Parameter origin: The last number of the run before the oldest file; 0 for none.
    mutating func add(missing gap: ClosedRange<UInt64>, origin: UInt64) {
        var next = gap.lowerBound
        while true {
            let part = part(from: next, to: gap.upperBound, origin: origin)
            addFinding(Self.text(next...part.end), part.why, isLoss: part.isLoss)
            if part.end == gap.upperBound { return }
            next = part.end + 1
        }
    }

    /// Counts the first missing numbers that have the same reason, and returns the last of them.
    private mutating func part(
        from number: UInt64, to last: UInt64, origin: UInt64
    ) -> (end: UInt64, why: String?, isLoss: Bool) {
        var end = last
        if let range = removed.first(where: {
            $0.isOpen ? $0.numbers.contains(number) : $0.numbers.upperBound >= number
        }) {
            if range.numbers.contains(number) {
                if !range.isOpen {
                    end = min(end, range.numbers.upperBound)
                } else if origin >= number {
                    // Records of the oldest file were not removed before it.
                    end = min(end, origin)
                }
                return (end, range.why, false)
            }
            end = min(end, range.numbers.lowerBound - 1)
        }
        // A range with an unknown end may start later in the gap.
        if let range = removed.first(where: { $0.isOpen && $0.numbers.lowerBound > number }) {
            end = min(end, range.numbers.lowerBound - 1)
        }
        if let index = notes.firstIndex(where: { $0.numbers.upperBound >= number }) {
            let note = notes[index]
            if note.numbers.contains(number) {
                end = min(end, note.numbers.upperBound)
                notes[index].found += end - number + 1
                return (end, Self.text(note.drops, among: note.numbers), note.isLoss)
            }
            end = min(end, note.numbers.lowerBound - 1)
        }
        if let range = unwritten.first(where: { $0.upperBound >= number }) {
            if range.contains(number) { return (min(end, range.upperBound), Self.unwrittenText, false) }
            end = min(end, range.lowerBound - 1)
        }
        if number <= origin {
            end = min(end, origin)
            if hasUnknownRemovals { return (end, Self.removedText, false) }
            let count = end - number + 1
            // Otherwise dropped on purpose; their numbers are unknown.
            if wanted < count || unexplained > wanted - count { return (end, Self.olderText, true) }
        }
        unexplained += end - number + 1
        return (end, nil, true)
    }

    /// The number of records dropped on purpose whose numbers are unknown.
    private var wanted: UInt64 { loose.reduce(0) { $1.reason.isIntended ? $0 &+ $1.count : $0 } }

    /// Adds a range of numbers, an unknown subset of which is missing.
    mutating func add(_ missing: UInt64, of range: ClosedRange<UInt64>) {
        var left = missing
        var reasons: [String] = []
        var isLoss = false
        for index in notes.indices where notes[index].numbers.overlaps(range) && left > 0 {
            let space = notes[index].count > notes[index].found ? notes[index].count - notes[index].found : 0
            guard space > 0 else { continue }
            reasons.append(Self.text(notes[index].drops, among: notes[index].numbers))
            isLoss = isLoss || notes[index].isLoss
            notes[index].found += min(left, space)
            left -= min(left, space)
        }
        for numbers in unwritten where numbers.overlaps(range) && left > 0 {
            let common = numbers.clamped(to: range)
            reasons.append(Self.unwrittenText)
            left -= min(left, common.upperBound - common.lowerBound + 1)
        }
        if left < missing {
            addFinding("\(missing - left) of \(Self.text(range))", reasons.joined(separator: ", "), isLoss: isLoss)
        }
        if left > 0 {
            unexplained += left
            addFinding("\(left) of \(Self.text(range))", nil)
        }
    }

    mutating func addFinding(_ missing: String, _ why: String?, isLoss: Bool = true) {
        if let index = findings.firstIndex(where: { $0.why == why }) {
            findings[index].missing.append(missing)
        } else {
            findings.append((why, isLoss, [missing]))
        }
    }

    // MARK: Report

    /// One line for each reason; empty if nothing is missing.
    var report: [Line] {
        let excess = notes.reduce(UInt64(0)) { $0 + ($1.found > $1.count ? $1.found - $1.count : 0) }
        let spare = loose.reduce(UInt64(0)) { $0 &+ $1.count }
        let looseIsLoss = loose.isEmpty || loose.contains { !$0.reason.isIntended }
        var lines = findings.map { why, isLoss, missing in
            Line(
                text: "\(missing.joined(separator: ", ")) missing: "
                    + (why ?? (loose.isEmpty ? "cause unknown" : "perhaps " + Self.text(loose, among: nil))),
                isLoss: why == nil ? looseIsLoss : isLoss, isUnknown: why == Self.unindexedText)
        }
        if unexplained + excess > spare, excess + spare > 0 {
            lines.append(
                Line(text: "\(unexplained + excess - spare) more missing than recorded as dropped", isLoss: true))
        }
        for (reason, drops) in Self.grouped(unnumbered) {
            let isLoss = drops.contains { !$0.reason.isIntended }
            let text = "\(Self.counted(drops)) dropped before they were queued: \(reason)"
            lines.append(Line(text: text, isLoss: isLoss, isUnnumbered: true))
        }
        return lines
    }

    private static let olderText = "before the oldest file"
    private static let removedText = olderText + ", as are files removed on purpose"
    private static let unwrittenText = "logged while this log was not configured"

    /// Returns counts and reasons, for the report.
    static func text(_ drops: [Ledger.Drop], among numbers: ClosedRange<UInt64>?) -> String {
        let parts = grouped(drops).map { reason, drops in "\(counted(drops)) \(reason)" }
        return parts.joined(separator: ", ") + (numbers.map { ", among \(text($0))" } ?? "")
    }

    /// Groups drops by reason and sink, for the report.
    private static func grouped(_ drops: [Ledger.Drop]) -> [(reason: String, drops: [Ledger.Drop])] {
        Dictionary(grouping: drops) { $0.reason.text(sink: $0.sink) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// Returns a count such as `3 (debug 1, info 2)`.
    private static func counted(_ drops: [Ledger.Drop]) -> String {
        let count = drops.reduce(UInt64(0)) { $0 &+ $1.count }
        let levels = Level.allCases.compactMap { level -> String? in
            let count = drops.reduce(UInt64(0)) { $0 &+ ($1.levels[level] ?? 0) }
            return count > 0 ? "\(level.name) \(count)" : nil
        }
        return levels.isEmpty ? "\(count)" : "\(count) (\(levels.joined(separator: ", ")))"
    }

    /// Returns `7`, or `7 to 12`.
    static func text(_ range: ClosedRange<UInt64>) -> String {
        range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }
}

extension DropReason {
    /// Returns the reason, for the report.
    fileprivate func text(sink: String) -> String {
        switch self {
        case .full: "no space in the queue"
        case .shed: "no space in the queue, as configured by when_full"
        case .degraded: "no sink was accepting records and the queue kept space for higher levels"
        case .closed: "logged after the end"
        case .encodingFailed: "could not be encoded"
        case .processor: "dropped by processors"
        case .refused: "refused by sink \(sink)"
        case .sinkLagging: "dropped while sink \(sink) kept failing"
        case .sinkRemoved: "not written before sink \(sink) was removed"
        case .discarded: "dropped for sink \(sink) by recover --drop"
        case .damaged: "damaged in the queue of a killed program"
        case .filtered: "filtered for sink \(sink)"
        case .overflow: "dropped by sink \(sink), which ran out of space"
        case .expired: "dropped by sink \(sink) after they expired"
        case .rejected: "refused by the remote end of sink \(sink)"
        case .deleted: "in a file of sink \(sink) that was deleted before it was sent or completed"
        case .unreadable: "damaged in the files of sink \(sink)"
        }
    }
}
