#if HTTP
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailQuery

/// Maps the properties of a record to the columns of OpenTelemetry's exporter: SQL expressions, and the conversion of a
/// row to a record.
///
/// Conditions and results use the same expressions, so that they agree for any input.
struct RecordColumns {
    /// The columns of the table.
    private let has: Set<String>

    init(has: Set<String>) { self.has = has }

    /// The required columns.
    static let needed: Set = [
        "Timestamp", "TraceId", "SpanId", "SeverityText", "SeverityNumber", "Body", "ScopeName", "ResourceAttributes",
        "LogAttributes",
    ]

    /// Returns whether the table has a column that only some versions of the exporter create.
    func contains(_ column: String) -> Bool { has.contains(column) }

    /// The attributes of the record, its scope and its resource; an earlier one hides later ones of the same name.
    private var maps: [String] {
        ["LogAttributes"] + (has.contains("ScopeAttributes") ? ["ScopeAttributes"] : []) + ["ResourceAttributes"]
    }

    // MARK: Expressions

    /// The `WITH` clause that names the expressions below.
    var with: String {
        let first = { (keys: [(map: String, key: String)]) in
            "coalesce(\(keys.map { "nullIf(\($0.map)[\(SQLText.string($0.key))], '')" }.joined(separator: ", ")), '')"
        }
        let own = { (key: String) in "LogAttributes[\(SQLText.string(key))]" }
        let named = [
            "trace", "debug", "info", "information", "notice", "warning", "warn", "error", "err", "critical", "crit",
            "fatal",
        ]
        let levels = named.map { "\(Level(name: $0)?.rawValue ?? Level.info.rawValue)" }
        let device = first([
            ("LogAttributes", OriginAttributes.device), ("LogAttributes", OriginAttributes.deviceID),
            ("ResourceAttributes", OriginAttributes.deviceID), ("ResourceAttributes", "host.name"),
        ])
        let event = own("event.name")
        let expressions: [(String, String)] = [
            ("toUnixTimestamp64Nano(Timestamp)", "tf_time"),
            // OpenTelemetry's ranges, mapped as in the receiver.
            (
                """
                toUInt8(multiIf(SeverityNumber <= 0, \
                transform(lower(toString(SeverityText)), [\(named.map(SQLText.string).joined(separator: ", "))], \
                [\(levels.joined(separator: ", "))], \(Level.info.rawValue)), \
                SeverityNumber < 5, 0, SeverityNumber < 9, 1, SeverityNumber = 9, 2, SeverityNumber < 13, 3, \
                SeverityNumber < 17, 4, SeverityNumber = 17, 5, 6))
                """, "tf_level"
            ),
            ("toString(\(device))", "tf_device"),
            (has.contains("EventName") ? "if(EventName != '', toString(EventName), \(event))" : event, "tf_event"),
            // A relayed record contains the run of its origin; its number alone does not identify it.
            (
                """
                toUInt8(multiIf(\(own(OriginAttributes.sequence)) = '', 0, \(own(OriginAttributes.run)) != '', 1, \
                \(own(OriginAttributes.batch)) != '', 2, 0))
                """, "tf_kind"
            ),
            (
                """
                multiIf(tf_kind = 1, \(own(OriginAttributes.run)), tf_kind = 2, \(own(OriginAttributes.batch)), \
                \(own("taffrail.run")))
                """, "tf_run"
            ),
            (
                "toUInt64OrZero(if(tf_kind > 0, \(own(OriginAttributes.sequence)), \(own("taffrail.seq"))))", "tf_seq"
            ),
            // Equal for a record that was sent twice.
            (
                """
                if(tf_run != '' AND tf_seq != 0, cityHash64(tf_device, tf_kind, tf_run, tf_seq), \
                cityHash64(Body, SeverityNumber, ScopeName, TraceId, SpanId, LogAttributes, ResourceAttributes))
                """, "tf_hash"
            ),
            ("toFloat64OrNull(\(own(GeoAttributes.latitude)))", "tf_lat"),
            ("toFloat64OrNull(\(own(GeoAttributes.longitude)))", "tf_lon"),
            ("ifNull(abs(tf_lat) <= 90 AND abs(tf_lon) <= 180, 0)", "tf_placed"),
        ]
        return "WITH " + expressions.map { "(\($0.0)) AS \($0.1)" }.joined(separator: ", ")
    }

    /// Returns the condition that a record has an attribute that is not a property.
    func exists(_ key: String) -> String {
        let name = SQLText.string(key)
        let contained = SQLText.anyOf(maps.map { "mapContains(\($0), \(name))" })
        switch key {
        case _ where Self.hidden.contains(key): return "0"
        case OriginAttributes.deviceID: return "(\(contained)) AND \(value(key)) != tf_device"
        case "event.name": return "(\(contained)) AND \(value(key)) != tf_event"
        case _ where Self.sourceKeys.contains(key):
            return "(\(contained)) AND LogAttributes[\(SQLText.string(Self.file))] = ''"
        default: return contained
        }
    }

    /// Returns the expression for the value of an attribute; empty if the record has none.
    func value(_ key: String) -> String {
        let name = SQLText.string(key)
        let cases = maps.dropLast().map { "mapContains(\($0), \(name)), \($0)[\(name)], " }
        return "multiIf(\(cases.joined())\(maps[maps.count - 1])[\(name)])"
    }

    /// Returns the conditions for a time range; both ends are inclusive.
    func time(from first: Int64?, through last: Int64?) -> [String] {
        var conditions: [String] = []
        // Newer tables use the seconds in the partition key and the primary key.
        let seconds = { (time: Int64) in CivilTime.floorDivide(time, by: 1_000_000_000) }
        let isIndexed = { (time: Int64) in contains("TimestampTime") && (0...Int64(UInt32.max)).contains(seconds(time))
        }
        if let first, first > .min {
            conditions.append("Timestamp >= \(SQLText.time(first))")
            if isIndexed(first) { conditions.append("TimestampTime >= toDateTime(\(seconds(first)))") }
        }
        if let last, last < .max {
            conditions.append("Timestamp <= \(SQLText.time(last))")
            if isIndexed(last) { conditions.append("TimestampTime <= toDateTime(\(seconds(last)))") }
        }
        return conditions
    }

    // MARK: Records

    /// The columns that ``record(_:)`` reads.
    var selected: String {
        let flags = has.contains("TraceFlags") ? "toUInt8(TraceFlags)" : "toUInt8(0)"
        let strings = ["Body", "tf_event", "ScopeName", "tf_device", "tf_run", "TraceId", "SpanId"]
        return "tf_time, tf_seq, tf_hash, tf_level, tf_kind, \(flags), "
            + strings.map { "toString(\($0))" }.joined(separator: ", ")
            + ", toNullable(tf_lat), toNullable(tf_lon), \(maps.joined(separator: ", "))"
    }

    private static let file = "code.file.path"
    private static let sourceKeys: Set = [file, "code.function.name", "code.line.number"]
    /// The attributes that become properties only.
    private static let hidden: Set = [
        "taffrail.run", "taffrail.seq", OriginAttributes.run, OriginAttributes.batch, OriginAttributes.sequence,
        OriginAttributes.device,
    ]

    /// Reads a row of ``selected``.
    func record(_ row: inout RowBytes) throws(ClickHouseFailure) -> (key: RecordKey, record: StoredRecord) {
        let key = RecordKey(time: try row.signed(), sequence: try row.unsigned(), hash: try row.unsigned())
        let level = Level(rawValue: try row.byte()) ?? .info
        let kind = try row.byte()
        let flags = try row.byte()
        let (message, event, logger) = (try row.string(), try row.string(), try row.string())
        let (device, run) = (try row.string(), try row.string())
        let (trace, span) = (try row.string(), try row.string())
        let (latitude, longitude) = (try row.optionalDouble(), try row.optionalDouble())
        var attributes: [LogValueEntry] = []
        var names: Set<[UInt8]> = []
        var source: LogRecord.SourceLocation?
        for map in maps.indices {
            for entry in try row.map() where names.insert(Array(entry.key.utf8)).inserted {
                attributes.append(LogValueEntry(entry.key, .string(entry.value)))
            }
            if map == 0 { source = Self.source(in: attributes) }
        }
        var record = StoredRecord(
            time: Timestamp(nanoseconds: key.time), level: level, message: message,
            eventName: event.isEmpty ? nil : event, logger: logger, device: device, run: run,
            sequence: key.sequence == 0 ? nil : key.sequence)
        record.id = key.text
        record.runKind = kind == 2 ? .batch : .received
        record.trace = Self.trace(trace, span, flags)
        if let latitude, let longitude {
            let place = Coordinate(latitude: latitude, longitude: longitude)
            record.coordinate = place.isValid ? place : nil
        }
        record.source = source
        record.attributes = attributes.filter { entry in
            switch entry.key {
            case _ where Self.hidden.contains(entry.key): false
            case OriginAttributes.deviceID: entry.value != .string(device)
            case "event.name": entry.value != .string(event)
            case _ where Self.sourceKeys.contains(entry.key): source == nil
            default: true
            }
        }
        return (key, record)
    }

    private static func source(in attributes: [LogValueEntry]) -> LogRecord.SourceLocation? {
        func text(_ key: String) -> String {
            guard case .string(let text)? = attributes.first(where: { $0.key == key })?.value else { return "" }
            return text
        }
        guard !text(file).isEmpty else { return nil }
        return LogRecord.SourceLocation(
            file: text(file), function: text("code.function.name"), line: UInt32(text("code.line.number")) ?? 0)
    }

    /// Returns the trace if both ids are in the form that exporters write. Without a span, that of the trace is 0.
    private static func trace(_ trace: String, _ span: String, _ flags: UInt8) -> TraceContext? {
        guard let traceID = TraceContext.TraceID(trace), "\(traceID)" == trace,
            let spanID = span.isEmpty ? TraceContext.SpanID(0) : TraceContext.SpanID(span),
            span.isEmpty || "\(spanID)" == span
        else { return nil }
        return TraceContext(traceID: traceID, spanID: spanID, flags: TraceContext.Flags(rawValue: flags))
    }
}
#endif
