#if Store
internal import GRDB

/// The known numbers that represent names in the rows of a table.
///
/// Their number is limited, because senders can invent names: beyond it, all are looked up again.
struct NameNumbers<Name: Hashable, Number> {
    private(set) var known: [Name: Number] = [:]
    /// The maximum number of names.
    static var limit: Int { 8_192 }

    subscript(_ name: Name) -> Number? { known[name] }

    /// Adds a name.
    mutating func add(_ name: Name, _ number: Number) {
        if known.count >= Self.limit { known = [:] }
        known[name] = number
    }
}

extension Database {
    /// Returns the number of a name that has been stored.
    func number(_ sql: String, _ arguments: StatementArguments) throws -> Int64 {
        guard let number = try Int64.fetchOne(self, sql: sql, arguments: arguments) else {
            throw DatabaseError(resultCode: .SQLITE_NOTFOUND, message: "a name was not stored")
        }
        return number
    }
}
#endif
