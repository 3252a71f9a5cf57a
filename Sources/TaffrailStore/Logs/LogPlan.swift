#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailQuery

/// A selection in terms of the tables.
struct LogPlan {
    /// The times of the records, in nanoseconds since 1970: from the first, inclusive, to the second, exclusive.
    var since = Int64.min
    var until = Int64.max
    /// The levels, one bit for each.
    private var levels: UInt8 = 0x7F
    /// The numbers of loggers, devices and events; `nil`: all.
    private var loggers: Set<Int64>?
    private var devices: Set<Int64>?
    private var events: Set<Int64>?
    /// The words to look up; `nil` if the index cannot be used.
    private(set) var match: String?
    /// The conditions that are tested row by row.
    private var tests: [RowTest] = []
    /// The names of events, if words are searched for in them row by row.
    private var eventNames: [Int64: String] = [:]

    /// The range of keys allowed by the conditions.
    private(set) var ids = Int64.min...Int64.max

    /// A condition that is tested row by row.
    private enum RowTest {
        case attribute(AttributeFinder, LogAttributeTest, Bool)
        case message(FoldedSearch, Bool)
        case text(String, isPrefix: Bool, Bool)
        case place(LogTest, CoordinateBox, Bool)
        case trace(LogTest, Bool)
        case origins(Set<Int64>, Bool)
    }

    /// Creates a plan.
    ///
    /// - Parameter usesWords: Whether the index of words may be used.
    init(_ selection: LogSelection, usesWords: Bool = true, _ db: Database) throws {
        var words: [String] = []
        (since, until) = (selection.range.since ?? .min, selection.range.until ?? .max)
        for condition in selection.conditions {
            let isNegated = condition.isNegated
            switch condition.test {
            case .since, .until: break
            case .level, .levels:
                for level in Level.allCases where condition.test.matches(level) == isNegated {
                    levels &= ~(1 << level.rawValue)
                }
            case .logger, .exactLogger:
                try Self.restrict(&loggers, "logger", db) { condition.test.matches(logger: $0) != isNegated }
            case .device(let names):
                try Self.restrict(&devices, "device", db) { name in names.contains { $0.matches(name) } != isNegated }
            case .event(let names):
                try Self.restrict(&events, "event", db) { name in names.contains { $0.matches(name) } != isNegated }
                if names.contains(where: { $0.matches("") }) != isNegated { events?.insert(0) }
            case .text(let text, let isPrefix):
                let found = LogWords.of(text)
                // If the index is not used, or not exact for the condition, every row is tested.
                if isNegated || found.count != 1 || !found.allSatisfy(Self.isIndexedAlike) {
                    tests.append(.text(text, isPrefix: isPrefix, isNegated))
                }
                guard !isNegated else { continue }
                for (index, word) in found.enumerated() where Self.isIndexedAlike(word) {
                    words.append("\"\(word)\"" + (isPrefix && index == found.count - 1 ? " *" : ""))
                }
                if !usesWords, found.count == 1, Self.isIndexedAlike(found[0]) {
                    tests.append(.text(text, isPrefix: isPrefix, isNegated))
                }
            case .message(let text): tests.append(.message(FoldedSearch(text), isNegated))
            case .attribute(let key, let test): tests.append(.attribute(AttributeFinder(key), test, isNegated))
            case .near(let place, let radius):
                // Most rows are far from the place, and computing a distance takes longer than a comparison.
                tests.append(.place(condition.test, CoordinateBox(around: place, radius: radius * 1.01), isNegated))
            case .box(let box): tests.append(.place(condition.test, box, isNegated))
            case .trace, .span: tests.append(.trace(condition.test, isNegated))
            case .run(let run):
                let numbers = try Int64.fetchAll(db, sql: "SELECT id FROM origin WHERE name = ?", arguments: [run])
                tests.append(.origins(Set(numbers), isNegated))
                if !isNegated { try restrict(toOrigins: numbers, db) }
            }
        }
        if tests.contains(where: { if case .text = $0 { true } else { false } }) {
            for row in try Row.fetchAll(db, sql: "SELECT id, name FROM event") { eventNames[row[0]] = row[1] as String }
        }
        if usesWords, !words.isEmpty { match = words.joined(separator: " AND ") }
    }

    /// A plan for the records of one device.
    init(ofDevice number: Int64, _ db: Database) throws {
        try self.init(LogSelection(), db)
        devices = [number]
    }

    /// Restricts the keys to the times of the runs: the records of a run are close together in time.
    private mutating func restrict(toOrigins numbers: [Int64], _ db: Database) throws {
        var (first, last) = (Int64.max, Int64.min)
        for number in numbers {
            try RawStatement.forEach("SELECT min(id), max(id) FROM record WHERE origin = ?", [number], db) { row in
                guard !row.isNull(0) else { return }
                (first, last) = (min(first, row[0]), max(last, row[1]))
            }
        }
        let (lower, upper) = (max(ids.lowerBound, first), min(ids.upperBound, last))
        if lower <= upper { ids = lower...upper } else { levels = 0 }
    }

    private static func restrict(
        _ numbers: inout Set<Int64>?, _ table: String, _ db: Database, _ isWanted: (String) -> Bool
    ) throws {
        var found: Set<Int64> = []
        let statement = try RawStatement("SELECT id, name FROM \(table)", db)
        defer { statement.reset() }
        while try statement.step() { if isWanted(statement.text(1)) { found.insert(statement[0]) } }
        numbers = numbers?.intersection(found) ?? found
    }

    /// Returns whether the index folds and divides a word as ``LogWords`` does, which holds for these scripts.
    private static func isIndexedAlike(_ word: String) -> Bool {
        word.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 48...57, 97...122, 0xC0...0x12F, 0x132...0x17E, 0x400...0x45F: true
            default: false
            }
        }
    }

    // MARK: Testing

    /// Whether no record can match.
    var isEmpty: Bool {
        since >= until || levels == 0 || loggers?.isEmpty == true || devices?.isEmpty == true
            || events?.isEmpty == true
    }

    /// Whether the counts of slots determine the number of wanted records.
    var isCounted: Bool { match == nil && tests.isEmpty }

    /// Whether the counts of slots exclude records.
    var restrictsSlots: Bool { levels != 0x7F || loggers != nil || devices != nil || events != nil }

    /// The numbers of the matching levels, if there are few.
    var fewLevels: [Int64]? {
        let wanted = (0..<Int64(Level.allCases.count)).filter { levels & (1 << UInt8($0)) != 0 }
        return wanted.count <= 3 ? wanted : nil
    }

    /// Returns whether records with these numbers match.
    @inline(__always)
    func wants(level: Int64, logger: Int64, device: Int64, event: Int64) -> Bool {
        guard levels & (1 << UInt8(clamping: level)) != 0 else { return false }
        if let loggers, !loggers.contains(logger) { return false }
        if let devices, !devices.contains(device) { return false }
        if let events, !events.contains(event) { return false }
        return true
    }

    /// Returns whether a row matches.
    @inline(__always)
    func wants(_ row: LogRow) -> Bool {
        let time = row.time
        guard time >= since, time < until else { return false }
        if restrictsSlots, !wants(level: row.level, logger: row.logger, device: row.device, event: row.event) {
            return false
        }
        for test in tests where !passes(row, test) { return false }
        return true
    }

    private func passes(_ row: LogRow, _ test: RowTest) -> Bool {
        switch test {
        case .attribute(let finder, let test, let isNegated):
            let value = row.withAttributes { finder.value(in: $0) }
            return (value.map { test.matches($0) } ?? false) != isNegated
        case .message(let search, let isNegated): return row.withMessage { search.isFound(in: $0) } != isNegated
        case .text(let text, let isPrefix, let isNegated):
            let texts = [row.message, eventNames[row.event], row.indexed]
            return LogTest.isFound(text, isPrefix, in: texts) != isNegated
        case .place(let test, let box, let isNegated):
            guard let place = row.coordinate, box.contains(place) else { return isNegated }
            return test.matches(place) != isNegated
        case .trace(.trace(let trace), let isNegated): return (row.trace?.traceID == trace) != isNegated
        case .trace(.span(let span), let isNegated): return (row.trace?.spanID == span) != isNegated
        case .trace(_, let isNegated): return isNegated
        case .origins(let origins, let isNegated): return origins.contains(row.origin) != isNegated
        }
    }
}
#endif
