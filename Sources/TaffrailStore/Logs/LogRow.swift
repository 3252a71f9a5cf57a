#if Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailQuery
internal import TaffrailText

/// The current row of a statement on the table of records.
struct LogRow {
    let statement: RawStatement

    /// The columns, in the order of the properties.
    static let columns = """
        record.id, record.time, record.arrival, record.level, record.logger, record.device, record.event, record.origin,
        record.sequence, record.lat, record.lon, record.source, record.trace, record.message, record.attributes,
        record.indexed
        """

    @inline(__always) var id: Int64 { statement[0] }
    @inline(__always) var time: Int64 { statement[1] }
    var arrival: Int64 { statement[2] }
    @inline(__always) var level: Int64 { statement[3] }
    @inline(__always) var logger: Int64 { statement[4] }
    @inline(__always) var device: Int64 { statement[5] }
    @inline(__always) var event: Int64 { statement[6] }
    var origin: Int64 { statement[7] }
    var message: String { statement.text(13) }
    var indexed: String? { statement.optionalText(15) }

    var coordinate: Coordinate? {
        guard let lat = statement.optionalInt(9), let lon = statement.optionalInt(10) else { return nil }
        return Coordinate(latitude: Double(lat) / 1e7, longitude: Double(lon) / 1e7)
    }

    var trace: TraceContext? { statement.withBytes(12) { Self.trace($0) } }

    @inline(__always)
    func withMessage<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R { statement.withBytes(13, body) }

    @inline(__always)
    func withAttributes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R { statement.withBytes(14, body) }

    /// The approximate number of bytes of the record.
    var byteCount: Int { 200 + withMessage(\.count) + withAttributes(\.count) }

    /// Returns the whole record.
    func record(_ names: inout LogNameCache) throws -> StoredRecord {
        let (run, runKind) = try names.origin(self.origin)
        var record = StoredRecord(
            time: Timestamp(nanoseconds: time), arrival: Timestamp(nanoseconds: arrival),
            level: Level(rawValue: UInt8(clamping: level)) ?? .info, message: message,
            eventName: event == 0 ? nil : try names.event(event), logger: try names.logger(logger),
            device: try names.device(device), attributes: withAttributes(Self.attributes), run: run,
            sequence: statement.optionalInt(8).map { UInt64(bitPattern: $0) })
        record.id = RecordID.text(id)
        record.runKind = runKind
        record.coordinate = coordinate
        record.trace = trace
        record.indexedText = indexed
        if let source = statement.optionalInt(11) { record.source = try names.source(source) }
        return record
    }

    /// Returns the attributes in a JSON object; none if it is damaged.
    static func attributes(_ json: UnsafeBufferPointer<UInt8>) -> [LogValueEntry] {
        guard !json.isEmpty else { return [] }
        var reader = JSONReader(json)
        guard case .map(let entries)? = try? reader.value() else { return [] }
        return entries
    }

    // MARK: Traces

    /// Returns the bytes of a trace: 16 of the trace, 8 of the span, one of flags.
    static func bytes(_ trace: TraceContext) -> [UInt8] {
        let numbers = [trace.traceID.high, trace.traceID.low, trace.spanID.value]
        return numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
            + [trace.flags.rawValue]
    }

    private static func trace(_ bytes: UnsafeBufferPointer<UInt8>) -> TraceContext? {
        guard bytes.count == 25 else { return nil }
        func number(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        return TraceContext(
            traceID: TraceContext.TraceID(high: number(0), low: number(8)), spanID: TraceContext.SpanID(number(16)),
            flags: TraceContext.Flags(rawValue: bytes[24]))
    }
}
#endif
