#if HTTP
internal import Taffrail
internal import TaffrailQuery

/// A table of a server, and the settings that the user may change there.
struct ClickHouseTable {
    /// The columns.
    let columns: RecordColumns
    /// The table's name in SQL.
    let name: String
    /// The settings of every query.
    let settings: [(name: String, value: String)]
    /// Whether settings can be changed. Users with `readonly = 1` cannot change any; their profile must set the limits.
    let canSet: Bool

    /// Requests the description of the table from a server.
    ///
    /// - Throws: ``TaffrailQuery/LogQueryError`` of kind ``TaffrailQuery/LogQueryError/Kind/unreadable`` if the table
    ///   does not exist, or was not created by OpenTelemetry's exporter.
    init(_ address: ClickHouseAddress, _ client: ClickHouseClient) throws {
        var rows = try client.rows(
            """
            SELECT name, type, toUInt64(getSetting('readonly')) FROM system.columns \
            WHERE database = \(SQLText.string(address.database)) AND table = \(SQLText.string(address.table))
            """, limitsTime: false)
        var types: [String: String] = [:]
        var readonly = UInt64(1)
        while !rows.isAtEnd {
            let (column, type) = (try rows.string(), try rows.string())
            types[column] = type
            readonly = try rows.unsigned()
        }
        let title = "\(address): the table \(address.table)"
        guard !types.isEmpty else {
            throw LogQueryError(.unreadable, "\(title) does not exist, or the user may not read it")
        }
        for column in RecordColumns.needed.sorted() where types[column] == nil {
            let reason = "it was not created by OpenTelemetry's exporter"
            throw LogQueryError(.unreadable, "\(title) has no column \(column); \(reason)")
        }
        for column in ["LogAttributes", "ResourceAttributes", "ScopeAttributes"] {
            guard let type = types[column], !type.hasPrefix("Map(") else { continue }
            throw LogQueryError(.unreadable, "\(title) has a column \(column) of type \(type), which is not Map")
        }
        columns = RecordColumns(has: Set(types.keys))
        name = "\(SQLText.name(address.database)).\(SQLText.name(address.table))"
        canSet = readonly != 1
        var settings: [(name: String, value: String)] = []
        if canSet {
            // A query is cancelled when its client disconnects.
            settings = [("cancel_http_readonly_queries_on_client_close", "1"), ("precise_float_parsing", "1")]
        }
        if readonly == 0 { settings.append(("readonly", "1")) }
        self.settings = settings
    }
}
#endif
