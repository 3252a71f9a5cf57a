internal import Taffrail
package import TaffrailQuery

/// A store whose answers are tested, provided to ``LogQueryRule`` by the tests of an implementation.
package protocol LogQuerySubject {
    /// Saves records.
    func save(_ records: [StoredRecord]) throws
    /// Answers queries about the saved records.
    func query() throws -> any LogQuery
    /// A record as the store returns it, except for its id. Default: as it was saved.
    func kept(_ record: StoredRecord) -> StoredRecord
    /// An id in the store's form that belongs to no record.
    var unknownID: String { get }
    /// The divisor of the numbers of records and queries, for stores with slow queries.
    var divisor: Int { get }
}

extension LogQuerySubject {
    package func kept(_ record: StoredRecord) -> StoredRecord { record }
    package var unknownID: String { "0000000000000001" }
    package var divisor: Int { 1 }
}

/// A rule that every implementation of ``LogQuery`` must follow.
package struct LogQueryRule: Sendable, CustomStringConvertible {
    /// The requirement.
    package let description: String
    private let test: @Sendable (any LogQuerySubject) throws -> Void

    package struct Violation: Error, CustomStringConvertible {
        package let description: String
    }

    init(_ sentence: String, _ test: @escaping @Sendable (any LogQuerySubject) throws -> Void) {
        description = sentence
        self.test = test
    }

    /// Checks an implementation. Each rule gets its own subject.
    package func check(_ subject: some LogQuerySubject) throws { try test(subject) }

    static func require(_ isKept: Bool, _ finding: @autoclosure () -> String) throws {
        if !isKept { throw Violation(description: finding()) }
    }

    /// All records that match a selection, page by page.
    static func all(
        _ query: any LogQuery, _ selection: LogSelection = LogSelection(), limit: Int = 1_000,
        isNewestFirst: Bool = true, clock: RecordClock = .origin,
        effort: Int = 1_000_000
    ) throws -> [StoredRecord] {
        var request = RecordRequest(selection)
        request.clock = clock
        (request.limit, request.isNewestFirst, request.effort) = (limit, isNewestFirst, effort)
        var records: [StoredRecord] = []
        for _ in 0..<100_000 {
            let page = try query.records(request)
            try require(page.records.count <= limit, "a page has \(page.records.count) records, not \(limit) at most")
            records += page.records
            guard let next = page.next else { return records }
            request.cursor = next
        }
        throw Violation(description: "the pages have no end")
    }

    private static func saved(_ subject: any LogQuerySubject, _ count: Int, seed: UInt64) throws -> [StoredRecord] {
        let records = RecordPool.records(count, seed: seed)
        for start in stride(from: 0, to: count, by: 97) {
            try subject.save(Array(records[start..<min(count, start + 97)]))
        }
        return records
    }

    /// A record without the values that its store adds.
    static func bare(_ record: StoredRecord) -> StoredRecord {
        var record = record
        record.id = ""
        return record
    }

    /// All rules.
    package static let all: [LogQueryRule] = general + arrivals + spellings

    private static let general: [LogQueryRule] = [
        LogQueryRule("pages have every record once and whole, in the order of time") { subject in
            let saved = try saved(subject, 500 / subject.divisor, seed: 1).map(subject.kept)
            let query = try subject.query()
            for limit in [1, 7, 100, 500, 1_000] {
                for isNewestFirst in [true, false] {
                    let found = try all(query, limit: limit, isNewestFirst: isNewestFirst)
                    try require(Set(found.map(bare)) == Set(saved), "pages of \(limit) differ from what was saved")
                    try require(found.count == saved.count, "pages of \(limit) have \(found.count) records")
                    let times = found.map(\.time)
                    try require(
                        times == (isNewestFirst ? times.sorted(by: >) : times.sorted()),
                        "pages of \(limit) are in disorder")
                    try require(Set(found.map(\.id)).count == found.count, "ids are not unique")
                }
            }
        },
        LogQueryRule("a page that ends because of effort has a next one") { subject in
            let saved = try saved(subject, 300, seed: 2).map(subject.kept)
            let query = try subject.query()
            let selection = try LogSelection(parsing: "status=404 message~disk")
            let wanted = saved.filter(selection.matches)
            for isNewestFirst in [true, false] {
                let found = try all(query, selection, limit: 5, isNewestFirst: isNewestFirst, effort: 11)
                try require(
                    !wanted.isEmpty && found.count == wanted.count, "\(found.count) of \(wanted.count) were found")
            }
        },
        LogQueryRule("what a selection finds is what it matches") { subject in
            _ = try saved(subject, 400, seed: 3)
            let query = try subject.query()
            let stored = try all(query)
            var generator = SeededGenerator(seed: 4)
            for _ in 0..<600 / subject.divisor {
                let selection = LogSelection.random(using: &generator)
                let found = try all(query, selection, limit: 50).map(\.id)
                let wanted = stored.filter(selection.matches).map(\.id)
                try require(found == wanted, "\(selection): \(found.count) records were found, not \(wanted.count)")
            }
        },
        LogQueryRule("the neighbours of a record are those next to it that are wanted") { subject in
            _ = try saved(subject, 200, seed: 5)
            let query = try subject.query()
            let stored = try all(query, isNewestFirst: false)
            var generator = SeededGenerator(seed: 6)
            for index in [0, 1, 50, 120, 199] {
                let selection = index == 50 ? LogSelection() : LogSelection.random(using: &generator)
                let found = try query.records(around: stored[index].id, before: 7, after: 9, matching: selection)
                guard let found else { throw Violation(description: "a record is not found by its id") }
                try require(found.record == stored[index], "another record is found")
                try require(
                    found.before == Array(stored[..<index].filter(selection.matches).suffix(7)),
                    "\(selection): others are before it")
                try require(
                    found.after == Array(stored[(index + 1)...].filter(selection.matches).prefix(9)),
                    "\(selection): others are after it")
            }
            let none = try query.records(around: subject.unknownID, before: 1, after: 1, matching: LogSelection())
            try require(none == nil, "a record that does not exist is found")
        },
        LogQueryRule("a histogram counts the records of each bucket") { subject in
            _ = try saved(subject, 400, seed: 7)
            let query = try subject.query()
            let stored = try all(query)
            var generator = SeededGenerator(seed: 8)
            let texts = [
                "", "level>=warning", "logger:net", "device:ferry -event:app", "\"disk\"", "status:*",
                "since:2026-01-05T14:31:07.5Z until:2026-01-05T14:35:59Z",
            ]
            for text in texts {
                for interval in [Duration.seconds(1), .seconds(7), .minutes(1), .minutes(2), .hours(1), .days(1)] {
                    var request = HistogramRequest(try LogSelection(parsing: text))
                    request.interval = interval
                    request.grouping =
                        (LogGrouping.allCases as [LogGrouping?] + [nil]).randomElement(using: &generator) ?? nil
                    let found = try query.histogram(request)
                    let wanted = stored.filter(request.selection.matches)
                    var counts: [Int64: [String: Int]] = [:]
                    let length = found.interval.nanoseconds
                    for record in wanted {
                        counts[CivilTime.floorDivide(record.time.nanoseconds, by: length) * length, default: [:]][
                            group(record, request.grouping), default: 0] += 1
                    }
                    let buckets = Dictionary(
                        uniqueKeysWithValues: found.buckets.map { ($0.time.nanoseconds, $0.counts) })
                    try require(buckets == counts, "\(text) by \(interval): \(buckets) are not \(counts)")
                    try require(
                        found.total == wanted.count, "\(text): the total is \(found.total), not \(wanted.count)")
                    try require(
                        found.buckets.map(\.time) == found.buckets.map(\.time).sorted(), "the buckets are in disorder")
                }
            }
        },
        LogQueryRule("the values of a field have the number of records that have each") { subject in
            _ = try saved(subject, 400, seed: 9)
            let query = try subject.query()
            let stored = try all(query)
            for text in ["", "level>=warning", "logger:net", "\"disk\" -status=200", "since:2026-01-05T14:31:07.5Z"] {
                let selection = try LogSelection(parsing: text)
                let wanted = stored.filter(selection.matches)
                for field in ["level", "logger", "device", "event", "status", "user", "@level", "nothing"] {
                    var request = ValuesRequest(field, selection)
                    request.limit = 100
                    var counts: [LogValue: Int] = [:]
                    for record in wanted { if let value = value(record, field) { counts[value, default: 0] += 1 } }
                    let found = try query.values(request)
                    let values = Dictionary(uniqueKeysWithValues: found.values.map { ($0.value, $0.count) })
                    try require(values == counts, "\(field) of \(text): \(values) are not \(counts)")
                    try require(found.distinct == counts.count, "\(field): \(found.distinct) are different")
                    try require(
                        found.values.map(\.count) == found.values.map(\.count).sorted(by: >),
                        "the values are in disorder")
                }
            }
        },
        LogQueryRule("devices have their last records and positions") { subject in
            let saved = try saved(subject, 200, seed: 10)
            let devices = try subject.query().devices()
            try require(
                devices.map(\.name) == Set(saved.map(\.device)).sorted(), "the devices are \(devices.map(\.name))")
            for device in devices {
                let own = saved.filter { $0.device == device.name }
                try require(device.records == own.count, "\(device.name) has \(device.records) records")
                try require(
                    device.last == own.map(\.time).max(), "\(device.name) was last heard at \(device.last as Any)")
                let places = own.filter { $0.coordinate != nil }
                try require(device.coordinateTime == places.map(\.time).max(), "\(device.name) was elsewhere")
                try require(
                    places.contains { $0.time == device.coordinateTime && $0.coordinate == device.coordinate },
                    "\(device.name) was elsewhere")
            }
        },
        LogQueryRule("a repeated record is kept once") { subject in
            let saved = try saved(subject, 100, seed: 11)
            try subject.save(saved)
            try subject.save(Array(saved.shuffled().prefix(40)))
            let found = try all(subject.query())
            try require(found.count == saved.count, "there are \(found.count) records, not \(saved.count)")
            let total = try subject.query().histogram(HistogramRequest()).total
            try require(total == saved.count, "\(total) are counted, not \(saved.count)")
        },
        LogQueryRule("a late record is at its time") { subject in
            var records = RecordPool.records(50, seed: 12)
            try subject.save(records)
            var late = RecordPool.records(1, seed: 13)[0]
            late.time = Timestamp(nanoseconds: RecordPool.start - 3_600_000_000_000)
            late.run = "another"
            try subject.save([late])
            records.append(late)
            let found = try all(subject.query(), isNewestFirst: false)
            try require(found.count == 51 && bare(found[0]) == subject.kept(late), "it is not the first one")
        },
        LogQueryRule("an empty store has no answers but empty ones") { subject in
            try subject.save([])
            let query = try subject.query()
            try require(try all(query).isEmpty, "it has records")
            try require(try query.histogram(HistogramRequest()).buckets.isEmpty, "it has counts")
            try require(try query.values(ValuesRequest("level")).values.isEmpty, "it has values")
            try require(try query.devices().isEmpty, "it has devices")
        },
        LogQueryRule("a cursor or an id that no answer had is an error") { subject in
            try subject.save([])
            let query = try subject.query()
            var request = RecordRequest()
            request.cursor = "no cursor"
            for attempt in [
                { _ = try query.records(request) },
                { _ = try query.records(around: "no id", before: 1, after: 1, matching: LogSelection()) },
            ] {
                var kind: LogQueryError.Kind?
                do { try attempt() } catch let error as LogQueryError { kind = error.kind }
                try require(kind == .invalid, "the error is \(kind as Any)")
            }
        },
    ]

    private static func group(_ record: StoredRecord, _ grouping: LogGrouping?) -> String {
        switch grouping {
        case .level: record.level.name
        case .logger: record.logger
        case .device: record.device
        case .event: record.eventName ?? ""
        case nil: ""
        }
    }

    private static func value(_ record: StoredRecord, _ field: String) -> LogValue? {
        switch field {
        case "level": .string(record.level.name)
        case "logger": .string(record.logger)
        case "device": .string(record.device)
        case "event": record.eventName.map { .string($0) }
        default: record[field.hasPrefix("@") ? String(field.dropFirst()) : field]
        }
    }
}
