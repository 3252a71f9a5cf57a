#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailQuery

/// Visits the rows that match a plan in the order of their arrival.
struct ArrivalScan {
    /// The arrival and the key of a row, by which rows are sorted.
    struct Position {
        var arrival: Int64
        var id: Int64

        init(arrival: Int64, id: Int64) { (self.arrival, self.id) = (arrival, id) }

        /// Parses ``text``.
        init?(_ text: String) {
            guard text.utf8.count == 32, let arrival = RecordID.number(String(text.prefix(16))),
                let id = RecordID.number(String(text.suffix(16)))
            else { return nil }
            self.init(arrival: arrival, id: id)
        }

        var text: String { RecordID.text(arrival) + RecordID.text(id) }
    }

    /// The end of a scan, as in a ``LogScan``.
    enum End {
        case exhausted
        case stopped
        case effort(Position)
    }

    private let plan: LogPlan
    private let request: RecordRequest
    private let cursor: Position?
    private let db: Database
    private let budget = QueryBudget.current

    init(_ plan: LogPlan, _ request: RecordRequest, after cursor: Position?, _ db: Database) {
        (self.plan, self.request, self.cursor, self.db) = (plan, request, cursor, db)
    }

    /// Calls a body with each matching row until it returns `false`.
    func forEach(_ body: (LogRow) throws -> Bool) throws -> End {
        guard !plan.isEmpty else { return .exhausted }
        var lower = request.arrivedSince?.nanoseconds ?? .min
        var upper = request.arrivedUntil?.nanoseconds ?? .max
        if let cursor {
            if request.isNewestFirst { upper = min(upper, cursor.arrival) } else { lower = max(lower, cursor.arrival) }
        }
        let isNewestFirst = request.isNewestFirst
        let order = isNewestFirst ? "DESC" : "ASC"
        // Rows with the same arrival as the cursor's row are skipped by their keys.
        let isUpperIncluded = request.arrivedUntil == nil || upper < request.arrivedUntil?.nanoseconds ?? .max
        let statement = try RawStatement(
            """
            SELECT \(LogRow.columns) FROM record WHERE arrival >= ?1 AND arrival \(isUpperIncluded ? "<=" : "<") ?2
            ORDER BY arrival \(order), id \(order)
            """, db)
        statement.bind(1, lower)
        statement.bind(2, upper)
        defer { statement.reset() }
        let row = LogRow(statement: statement)
        var effort = max(1, request.effort)
        while try statement.step() {
            if let cursor, row.arrival == cursor.arrival,
                isNewestFirst ? row.id >= cursor.id : row.id <= cursor.id
            {
                continue
            }
            if plan.wants(row), try !body(row) { return .stopped }
            effort -= 1
            if effort <= 0 || (effort & 1_023 == 0 && budget?.isNearlyOver == true) {
                return .effort(Position(arrival: row.arrival, id: row.id))
            }
        }
        return .exhausted
    }
}
#endif
