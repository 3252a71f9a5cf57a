internal import Taffrail
internal import TaffrailText

/// Parses a JSON object on one line as a record, written by Taffrail or by another logger with the usual keys.
struct JSONLineParser {
    /// A record, and whether the line contained its time and level.
    struct Found {
        var record: LogRecord
        var hasTime = false
        var hasLevel = false
    }

    /// Parses a line.
    ///
    /// - Returns: `nil` unless the line is exactly one JSON object.
    func record(_ line: UnsafeRawBufferPointer) -> Found? {
        guard case .map(let entries)? = Self.value(of: line) else { return nil }
        var found = Found(record: LogRecord(timestamp: Timestamp(nanoseconds: 0), level: .info, message: ""))
        var source = (file: "", function: "", line: UInt32(0))
        var trace = (trace: TraceContext.TraceID?.none, span: TraceContext.SpanID?.none, flags: TraceContext.Flags())
        for entry in entries {
            switch (entry.key, entry.value) {
            case ("time", let value), ("timestamp", let value), ("ts", let value), ("@timestamp", let value),
                ("@t", let value), ("asctime", let value), ("datetime", let value):
                if !found.hasTime, let time = Self.time(value) {
                    found.record.timestamp = Timestamp(nanoseconds: time)
                    found.hasTime = true
                } else {
                    found.record.attributes.append(entry)
                }
            case ("level", let value), ("severity", let value), ("lvl", let value), ("@l", let value),
                ("log.level", let value), ("levelname", let value), ("severityText", let value),
                ("PRIORITY", let value):
                if !found.hasLevel, let level = Self.level(value, isPriority: entry.key == "PRIORITY") {
                    found.record.level = level
                    found.hasLevel = true
                } else {
                    found.record.attributes.append(entry)
                }
            case ("message", .string(let text)), ("msg", .string(let text)), ("@m", .string(let text)),
                ("@mt", .string(let text)), ("log", .string(let text)), ("body", .string(let text)),
                ("MESSAGE", .string(let text)):
                if found.record.message.isEmpty {
                    found.record.message = text
                } else {
                    found.record.attributes.append(entry)
                }
            case ("logger", .string(let text)), ("logger_name", .string(let text)), ("log.logger", .string(let text)):
                found.record.logger = text
            case ("event", .string(let text)): found.record.eventName = text
            case ("attributes", .map(let attributes)): found.record.attributes += attributes
            case ("file", .string(let text)): source.file = text
            case ("function", .string(let text)): source.function = text
            case ("line", .int(let number)): source.line = UInt32(clamping: number)
            case ("seq", .int(let number)): found.record.sequence = UInt64(clamping: number)
            case ("run", .string(let text)) where RingID(text) != nil: found.record.run = RingID(text) ?? .none
            case ("trace_id", .string(let text)) where TraceContext.TraceID(text) != nil:
                trace.trace = TraceContext.TraceID(text)
            case ("span_id", .string(let text)) where TraceContext.SpanID(text) != nil:
                trace.span = TraceContext.SpanID(text)
            case ("trace_flags", .string(let text)) where TraceContext.Flags(text) != nil:
                trace.flags = TraceContext.Flags(text) ?? []
            default: found.record.attributes.append(entry)
            }
        }
        if !source.file.isEmpty {
            found.record.source = LogRecord.SourceLocation(
                file: source.file, function: source.function, line: source.line)
        }
        if let id = trace.trace {
            found.record.trace = TraceContext(
                traceID: id, spanID: trace.span ?? TraceContext.SpanID(0), flags: trace.flags)
        }
        return found
    }

    /// Returns a level by its name, or by the number that Bunyan and Pino (10 to 60) or syslog give it.
    private static func level(_ value: LogValue, isPriority: Bool) -> Level? {
        switch value {
        case .string(let text):
            if isPriority { return Int(text).map { Level(syslogPriority: $0) } }
            if let level = Level(name: text) { return level }
            var text = text
            return text.withUTF8 { LineHeadReader.word(UnsafeRawBufferPointer($0)) }
        case .int(let number):
            if isPriority { return Level(syslogPriority: Int(clamping: number)) }
            switch number {
            case 10: return .trace
            case 20: return .debug
            case 30: return .info
            case 40: return .warning
            case 50: return .error
            case 60: return .critical
            default: return nil
            }
        default: return nil
        }
    }

    /// Returns the time of a value: RFC 3339, or a number since 1970 in seconds, milliseconds, microseconds or
    /// nanoseconds, depending on its magnitude.
    private static func time(_ value: LogValue) -> Int64? {
        switch value {
        case .string(var text):
            return text.withUTF8 { bytes in
                var parser = TimestampParser(zone: .utc)
                var index = 0
                return parser.read(UnsafeRawBufferPointer(bytes), &index)
            }
        case .int(let number): return unit(of: Double(number)).map { product(number, $0) }
        case .double(let number):
            // A double is exact to a quarter of a microsecond: rounded down, it might be a millisecond early.
            return unit(of: number).map { product(Int64((number * Double($0) / 1e3).rounded()), 1000) }
        default: return nil
        }
    }

    /// Clamps to the range of times; both factors are positive.
    private static func product(_ number: Int64, _ factor: Int64) -> Int64 {
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        return isTooLarge ? .max : product
    }

    /// Returns the nanoseconds in the unit of a time.
    private static func unit(of number: Double) -> Int64? {
        switch number {
        case 1e8..<1e11: 1_000_000_000
        case 1e11..<1e14: 1_000_000
        case 1e14..<1e17: 1000
        case 1e17..<9e18: 1
        default: nil
        }
    }

    // MARK: Values

    /// Parses a list or map, which text lines contain as JSON with the escapes of text.
    static func value(of text: String) -> LogValue? {
        var text = text
        return text.withUTF8 { value(of: UnsafeRawBufferPointer($0)) }
    }

    /// Parses a value; a null is shown as such.
    private static func value(of line: UnsafeRawBufferPointer) -> LogValue? {
        var reader = JSONReader(line: line)
        guard let value = try? reader.value(null: "null"), (try? reader.next()) == .end else { return nil }
        return value
    }
}
