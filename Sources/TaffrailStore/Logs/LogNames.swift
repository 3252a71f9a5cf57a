#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailText

/// The known numbers that represent names in the rows of records. Names are compared by their bytes, as in the tables.
struct LogNames {
    private var loggers = NameNumbers<ExactText, Int64>()
    private var devices = NameNumbers<ExactText, Int64>()
    private var events = NameNumbers<ExactText, Int64>()
    private var sources = NameNumbers<Source, Int64>()
    private var origins = NameNumbers<Origin, Int64>()
    /// The names and numbers of the last record.
    private var last: (record: Names, numbers: Numbers)?
    /// The maximum number of new names of each kind per day.
    private let limit: Int
    /// The rest of that limit in this transaction, if a new name has occurred.
    private var budget: NameBudget?
    /// The time of this transaction.
    private var now = Timestamp(nanoseconds: 0)

    init(limit: Int = NameBudget.standard) { self.limit = limit }

    private struct Source: Hashable {
        var file: ExactText
        var function: ExactText
        var line: UInt32
    }

    private struct Origin: Hashable {
        var device: Int64
        var kind: StoredRecord.RunKind
        var name: ExactText
    }

    private struct Names: Equatable {
        var logger: ExactText
        var device: ExactText
        var event: ExactText?
        var run: ExactText
        var kind: StoredRecord.RunKind

        init(_ record: StoredRecord) {
            logger = ExactText(record.logger)
            device = ExactText(record.device)
            event = record.eventName.map(ExactText.init(_:))
            run = ExactText(record.run)
            kind = record.runKind
        }
    }

    /// The numbers of one record's names.
    struct Numbers {
        var logger: Int64 = 0
        var device: Int64 = 0
        /// The number of the event; 0 if there is none.
        var event: Int64 = 0
        var origin: Int64 = 0
        /// The names beyond the limit, which are replaced by the substitute.
        var others: [LogValueEntry] = []
        /// Whether the event's name is beyond the limit.
        var isOtherEvent = false
    }

    /// Begins a transaction.
    mutating func begin(at now: Timestamp) {
        budget = nil
        self.now = now
    }

    /// Returns the numbers of a record's names; stores new names.
    mutating func numbers(of record: StoredRecord, _ db: Database) throws -> Numbers {
        let names = Names(record)
        if let last, last.record == names { return last.numbers }
        var numbers = Numbers()
        numbers.logger = try number(of: names.logger, in: "logger", \.loggers, &numbers, db)
        numbers.device = try number(of: names.device, in: "device", \.devices, &numbers, db)
        if let event = names.event {
            let others = numbers.others.count
            numbers.event = try number(of: event, in: "event", \.events, &numbers, db)
            numbers.isOtherEvent = numbers.others.count > others
        }
        numbers.origin = try origin(Origin(device: numbers.device, kind: names.kind, name: names.run), db)
        // On the next day, a name beyond the limit may be accepted.
        last = numbers.others.isEmpty ? (names, numbers) : nil
        return numbers
    }

    /// Returns the number of a source location.
    mutating func number(of source: LogRecord.SourceLocation, _ db: Database) throws -> Int64 {
        let key = Source(file: ExactText(source.file), function: ExactText(source.function), line: source.line)
        if let known = sources[key] { return known }
        let arguments: StatementArguments = [
            source.file.storable, source.function.storable, Int64(source.line),
        ]
        try db.execute(
            sql: "INSERT OR IGNORE INTO source(file, function, line) VALUES(?, ?, ?)", arguments: arguments)
        let number = try db.number("SELECT id FROM source WHERE file = ? AND function = ? AND line = ?", arguments)
        sources.add(key, number)
        return number
    }

    private mutating func origin(_ key: Origin, _ db: Database) throws -> Int64 {
        if let known = origins[key] { return known }
        let arguments: StatementArguments = [key.device, key.kind.number, key.name.text.storable]
        try db.execute(sql: "INSERT OR IGNORE INTO origin(device, kind, name) VALUES(?, ?, ?)", arguments: arguments)
        let number = try db.number("SELECT id FROM origin WHERE device = ? AND kind = ? AND name = ?", arguments)
        origins.add(key, number)
        return number
    }

    private mutating func number(
        of name: ExactText, in table: String, _ known: WritableKeyPath<LogNames, NameNumbers<ExactText, Int64>>,
        _ numbers: inout Numbers, _ db: Database
    ) throws -> Int64 {
        if let number = self[keyPath: known][name] { return number }
        let text = name.text.storable
        let find = "SELECT id FROM \(table) WHERE name = ?"
        if let number = try Int64.fetchOne(db, sql: find, arguments: [text]) {
            self[keyPath: known].add(name, number)
            return number
        }
        // The empty name and the substitute do not count as new names.
        var stored = text
        if !text.isEmpty, text != NameBudget.substitute {
            var left = try budget ?? NameBudget(limit, at: now, db)
            if try !left.take(table) {
                numbers.others.append(LogValueEntry(NameBudget.prefix + table, .string(text)))
                stored = NameBudget.substitute
            }
            budget = left
        }
        try db.execute(sql: "INSERT OR IGNORE INTO \(table)(name) VALUES(?)", arguments: [stored])
        let number = try db.number(find, [stored])
        if stored == text { self[keyPath: known].add(name, number) }
        return number
    }
}

extension StoredRecord.RunKind {
    /// The number in the table of origins.
    var number: Int64 {
        switch self {
        case .own: 0
        case .received: 1
        case .batch: 2
        }
    }

    init(number: Int64) { self = Self.allCases.first { $0.number == number } ?? .own }
}
#endif
