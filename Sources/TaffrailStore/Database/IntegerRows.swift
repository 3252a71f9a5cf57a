#if Store
internal import GRDB
internal import GRDBSQLite

/// Rows that are read by SQLite's own functions: GRDB's rows and values cost more than reading them.
enum IntegerRows {
    /// The columns of the current row; valid during the call that gets it.
    struct Columns {
        fileprivate let statement: OpaquePointer

        /// The integer in a column; 0 for NULL.
        @inline(__always)
        subscript(column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

        /// Calls a function with the bytes in a column; without any for NULL.
        func withBytes<R>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> R) -> R {
            let start = sqlite3_column_blob(statement, column)
            return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
        }
    }

    /// Calls a function with each row of a query. The function must not run the same query.
    static func forEach(
        _ sql: String, _ arguments: [Int64], _ db: Database, _ body: (Columns) throws -> Void
    ) throws {
        let statement = try db.cachedStatement(sql: sql).sqliteStatement
        for (index, argument) in arguments.enumerated() { sqlite3_bind_int64(statement, Int32(index + 1), argument) }
        defer { sqlite3_reset(statement) }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else {
                let message = db.sqliteConnection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
                throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
            }
            try body(Columns(statement: statement))
        }
    }
}
#endif
