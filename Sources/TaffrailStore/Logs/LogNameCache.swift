#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailQuery

/// The names represented by numbers in rows, loaded as an answer needs them.
struct LogNameCache {
    private let db: Database
    private var names: [String: [Int64: String]] = [:]
    private var sources: [Int64: LogRecord.SourceLocation] = [:]
    private var origins: [Int64: (run: String, kind: StoredRecord.RunKind)] = [:]

    init(_ db: Database) { self.db = db }

    mutating func logger(_ number: Int64) throws -> String { try name(number, in: "logger") }
    mutating func device(_ number: Int64) throws -> String { try name(number, in: "device") }
    mutating func event(_ number: Int64) throws -> String { try name(number, in: "event") }

    private mutating func name(_ number: Int64, in table: String) throws -> String {
        if let known = names[table]?[number] { return known }
        let statement = try db.cachedStatement(sql: "SELECT name FROM \(table) WHERE id = ?")
        let name = try String.fetchOne(statement, arguments: [number]) ?? ""
        names[table, default: [:]][number] = name
        return name
    }

    mutating func origin(_ number: Int64) throws -> (run: String, kind: StoredRecord.RunKind) {
        if let known = origins[number] { return known }
        let statement = try db.cachedStatement(sql: "SELECT name, kind FROM origin WHERE id = ?")
        let row = try Row.fetchOne(statement, arguments: [number])
        let found = (run: row?[0] as String? ?? "", kind: StoredRecord.RunKind(number: row?[1] ?? 0))
        origins[number] = found
        return found
    }

    mutating func source(_ number: Int64) throws -> LogRecord.SourceLocation? {
        if let known = sources[number] { return known }
        let statement = try db.cachedStatement(sql: "SELECT file, function, line FROM source WHERE id = ?")
        let found = try Row.fetchOne(statement, arguments: [number]).map {
            LogRecord.SourceLocation(file: $0[0], function: $0[1], line: UInt32(truncatingIfNeeded: $0[2] as Int64))
        }
        sources[number] = found
        return found
    }
}
#endif
