#if Store
internal import GRDB
internal import GRDBSQLite

/// A statement that is bound, run and read by SQLite's own functions: GRDB's values cost more than SQLite's own work.
///
/// It belongs to the database's cache: do not use a statement while another value for the same SQL is in use.
struct RawStatement {
    private let statement: OpaquePointer
    private let db: Database

    init(_ sql: String, _ db: Database) throws {
        statement = try db.cachedStatement(sql: sql).sqliteStatement
        self.db = db
    }

    // MARK: Values

    @inline(__always)
    func bind(_ index: Int32, _ value: Int64?) {
        if let value { sqlite3_bind_int64(statement, index, value) } else { sqlite3_bind_null(statement, index) }
    }

    /// Binds a string, which SQLite copies.
    func bind(_ index: Int32, text: String?) {
        guard var text else {
            sqlite3_bind_null(statement, index)
            return
        }
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                _ = sqlite3_bind_text(
                    statement, index, bytes.baseAddress ?? Self.empty, Int32(clamping: bytes.count), Self.copied)
            }
        }
    }

    /// Binds bytes, which SQLite copies, and which are UTF-8.
    func bind(_ index: Int32, utf8 bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            _ = sqlite3_bind_text(statement, index, start ?? Self.empty, Int32(clamping: bytes.count), Self.copied)
        }
    }

    /// Binds bytes, which SQLite copies.
    func bind(_ index: Int32, blob bytes: [UInt8]?) {
        guard let bytes else {
            sqlite3_bind_null(statement, index)
            return
        }
        bytes.withUnsafeBytes { bytes in
            _ = sqlite3_bind_blob(
                statement, index, bytes.baseAddress ?? UnsafeRawPointer(Self.empty), Int32(clamping: bytes.count),
                Self.copied)
        }
    }

    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    /// A string without an address would be bound as NULL.
    nonisolated(unsafe) private static let empty = UnsafePointer<CChar>(
        UnsafeMutablePointer<CChar>.allocate(capacity: 1))

    // MARK: Running

    /// Runs a statement that has no rows.
    func run() throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw error(code) }
    }

    /// Runs a statement that has no rows. Returns SQLite's extended code if a constraint forbids it.
    func runUnlessForbidden() throws -> ResultCode? {
        let code = sqlite3_step(statement)
        let extended = db.sqliteConnection.map { sqlite3_extended_errcode($0) } ?? code
        sqlite3_reset(statement)
        if code == SQLITE_DONE { return nil }
        guard code & 0xFF == SQLITE_CONSTRAINT else { throw error(code) }
        return ResultCode(rawValue: extended)
    }

    /// Goes to the next row; `false` after the last one.
    @inline(__always)
    func step() throws -> Bool {
        let code = sqlite3_step(statement)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw error(code) }
        return false
    }

    func reset() { sqlite3_reset(statement) }

    /// Calls a body with each row of a query, whose arguments are integers. The body must not run the same query.
    static func forEach(
        _ sql: String, _ arguments: [Int64], _ db: Database, _ body: (RawStatement) throws -> Void
    ) throws {
        let statement = try RawStatement(sql, db)
        for (index, argument) in arguments.enumerated() { statement.bind(Int32(index + 1), argument) }
        try statement.forEach(body)
    }

    /// Calls a body with each row, and resets the statement. The body must not run the same statement.
    func forEach(_ body: (RawStatement) throws -> Void) throws {
        defer { reset() }
        while try step() { try body(self) }
    }

    private func error(_ code: Int32) -> DatabaseError {
        let message = db.sqliteConnection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    // MARK: Columns

    /// Returns the integer in a column of the current row; 0 for NULL.
    @inline(__always)
    subscript(column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : self[column] }

    /// Calls a body with the UTF-8 or the bytes in a column; with none for NULL.
    @inline(__always)
    func withBytes<R>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        let start = sqlite3_column_blob(statement, column)?.assumingMemoryBound(to: UInt8.self)
        return try body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func text(_ column: Int32) -> String { withBytes(column) { String(decoding: $0, as: UTF8.self) } }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}
#endif
