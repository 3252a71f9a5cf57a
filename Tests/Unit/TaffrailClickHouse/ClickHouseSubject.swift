#if HTTP
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailQuery
import TaffrailTestSupport
import TaffrailText

@testable import TaffrailClickHouse

/// A table of its own, into which rows are inserted as the sink `http` does.
struct ClickHouseSubject: LogQuerySubject {
    /// A version of the exporter's table.
    enum Schema: CaseIterable { case older, newer }

    let store: ClickHouseStore
    let client: ClickHouseClient
    let address: ClickHouseAddress
    private let schema: Schema

    init(_ engine: ClickHouseEngine, table: String, _ schema: Schema = .older) throws {
        address = try ClickHouseAddress(parsing: "clickhouse://127.0.0.1:\(engine.port)/default?table=\(table)")
        store = try ClickHouseStore(address)
        client = try ClickHouseClient(address)
        self.schema = schema
        let time = schema == .newer ? "TimestampTime DateTime DEFAULT toDateTime(Timestamp), " : ""
        let event = schema == .newer ? ", EventName String" : ""
        let order =
            schema == .newer
            ? "PARTITION BY toDate(TimestampTime) PRIMARY KEY (ServiceName, TimestampTime) ORDER BY (ServiceName, TimestampTime, Timestamp)"
            : "PARTITION BY toDate(Timestamp) ORDER BY (ServiceName, toUnixTimestamp(Timestamp))"
        let map = "Map(LowCardinality(String), String)"
        try execute(
            """
            CREATE TABLE \(table) (Timestamp DateTime64(9), \(time)TraceId String, SpanId String, TraceFlags UInt8, \
            SeverityText LowCardinality(String), SeverityNumber UInt8, ServiceName LowCardinality(String), Body String, \
            ResourceAttributes \(map), ScopeName String, ScopeAttributes \(map), LogAttributes \(map)\(event)) \
            ENGINE = MergeTree \(order)
            """)
    }

    func execute(_ statement: String) throws { _ = try client.rows(statement, limitsTime: false) }

    var unknownID: String { String(repeating: "0", count: 47) + "1" }
    /// All of them take minutes.
    var divisor: Int {
        if ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] != nil { return 1 }
        return schema == .older ? 15 : 50
    }
    func query() throws -> any LogQuery { store }

    func kept(_ record: StoredRecord) -> StoredRecord {
        var record = record
        record.arrival = record.time
        record.runKind = .received
        record.attributes = Self.attributes(record).map { LogValueEntry($0.key, .string($0.value.description)) }
        record.attributes.append(LogValueEntry("service.name", "ferry"))
        return record
    }

    private static func attributes(_ record: StoredRecord) -> [LogValueEntry] {
        guard let place = record.coordinate else { return record.attributes }
        return record.attributes + [
            LogValueEntry(GeoAttributes.latitude, .double(place.latitude)),
            LogValueEntry(GeoAttributes.longitude, .double(place.longitude)),
        ]
    }

    func save(_ records: [StoredRecord]) throws {
        guard !records.isEmpty else { return }
        var bytes = Array("INSERT INTO \(address.table) FORMAT JSONEachRow\n".utf8)
        for record in records { bytes += line(record) }
        try execute(String(decoding: bytes, as: UTF8.self))
    }

    private static let severities: [Level: Int] = [
        .trace: 1, .debug: 5, .info: 9, .notice: 10, .warning: 13, .error: 17, .critical: 18,
    ]

    /// A row as the sink's encoding `clickhouse` writes it.
    private func line(_ record: StoredRecord) -> [UInt8] {
        let time = "\(record.time)"
        var fields: [(String, String)] = [
            ("Timestamp", "\(time.prefix(10)) \(time.dropFirst(11).dropLast())"), ("SeverityText", record.level.name),
            ("SeverityNumber", "\(Self.severities[record.level] ?? 0)"), ("ServiceName", "ferry"),
            ("Body", record.message), ("ScopeName", record.logger),
        ]
        var attributes = Self.attributes(record).map { ($0.key, $0.value.description) }
        attributes += [("taffrail.run", record.run), ("taffrail.seq", "\(record.sequence ?? 0)")]
        if let event = record.eventName {
            if schema == .newer { fields.append(("EventName", event)) }
            attributes.append(("event.name", event))
        }
        if let trace = record.trace {
            fields += [
                ("TraceId", "\(trace.traceID)"), ("SpanId", "\(trace.spanID)"),
                ("TraceFlags", "\(trace.flags.rawValue)"),
            ]
        }
        if let source = record.source {
            attributes += [
                ("code.file.path", source.file), ("code.function.name", source.function),
                ("code.line.number", "\(source.line)"),
            ]
        }
        var bytes = Self.object(fields)
        bytes.removeLast()
        bytes += Array(",\"LogAttributes\":".utf8) + Self.object(attributes) + Array(",\"ResourceAttributes\":".utf8)
        let device = record.device.isEmpty ? [] : [("device.id", record.device)]
        bytes += Self.object([("service.name", "ferry")] + device) + Array("}\n".utf8)
        return bytes
    }

    private static func object(_ fields: [(String, String)]) -> [UInt8] {
        var bytes = Array("{".utf8)
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(json: field.0)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(json: field.1)
        }
        return bytes + Array("}".utf8)
    }
}
#endif
