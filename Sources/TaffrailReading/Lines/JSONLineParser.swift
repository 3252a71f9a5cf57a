internal import Taffrail

/// Parses a JSON object on one line as a record: Taffrail's, and those of other loggers with the usual keys.
struct JSONLineParser {
    /// A record, and whether the line contained its time and level.
    struct Found {
        var record: LogRecord
        var hasTime = false
        var hasLevel = false
    }

    private static let depthLimit = 64

    /// Parses a line.
    ///
    /// - Returns: `nil` unless the line is exactly one JSON object.
    func record(_ line: UnsafeRawBufferPointer) -> Found? {
        var place = 0
        guard case .map(let entries) = Self.value(line, &place, depth: 0) else { return nil }
        Self.skipSpace(line, &place)
        guard place == line.count else { return nil }
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

    /// A level by its name, or by the number that Bunyan and Pino (10 to 60) or syslog give it.
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

    /// RFC 3339, or a number since 1970 in seconds, milliseconds, microseconds or nanoseconds, depending on its
    /// magnitude.
    private static func time(_ value: LogValue) -> Int64? {
        switch value {
        case .string(var text):
            return text.withUTF8 { bytes in
                var moment = TimestampParser(zone: .utc)
                var place = 0
                return moment.read(UnsafeRawBufferPointer(bytes), &place)
            }
        case .int(let number): return scaled(Double(number)).map { $0 == 1 ? number : whole(Double(number) * $0) }
        case .double(let number): return scaled(number).map { whole(number * $0) }
        default: return nil
        }
    }

    /// Clamps to the range of times; the scaled value is positive.
    private static func whole(_ nanoseconds: Double) -> Int64 { Int64(exactly: nanoseconds.rounded(.down)) ?? .max }

    private static func scaled(_ number: Double) -> Double? {
        switch number {
        case 1e8..<1e11: 1e9
        case 1e11..<1e14: 1e6
        case 1e14..<1e17: 1e3
        case 1e17..<9e18: 1
        default: nil
        }
    }

    // MARK: Values

    /// Parses a list or map, which text lines contain as JSON with the escapes of text.
    static func value(of text: String) -> LogValue? {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            var place = 0
            guard let value = value(bytes, &place, depth: 0), place == bytes.count else { return nil }
            return value
        }
    }

    private static func value(_ text: UnsafeRawBufferPointer, _ place: inout Int, depth: Int) -> LogValue? {
        skipSpace(text, &place)
        guard depth < depthLimit, place < text.count else { return nil }
        switch text[place] {
        case UInt8(ascii: "{"): return object(text, &place, depth: depth)
        case UInt8(ascii: "["): return array(text, &place, depth: depth)
        case UInt8(ascii: "\""): return string(text, &place).map { .string($0) }
        case UInt8(ascii: "t"): return word("true", text, &place) ? .bool(true) : nil
        case UInt8(ascii: "f"): return word("false", text, &place) ? .bool(false) : nil
        // Show empty values as such.
        case UInt8(ascii: "n"): return word("null", text, &place) ? .string("null") : nil
        default: return number(text, &place)
        }
    }

    private static func object(_ text: UnsafeRawBufferPointer, _ place: inout Int, depth: Int) -> LogValue? {
        var entries: [LogValueEntry] = []
        place += 1
        skipSpace(text, &place)
        if take("}", text, &place) { return .map([]) }
        while true {
            skipSpace(text, &place)
            guard let key = string(text, &place) else { return nil }
            skipSpace(text, &place)
            guard take(":", text, &place), let value = value(text, &place, depth: depth + 1) else { return nil }
            entries.append(LogValueEntry(key, value))
            skipSpace(text, &place)
            if take("}", text, &place) { return .map(entries) }
            guard take(",", text, &place) else { return nil }
        }
    }

    private static func array(_ text: UnsafeRawBufferPointer, _ place: inout Int, depth: Int) -> LogValue? {
        var elements: [LogValue] = []
        place += 1
        skipSpace(text, &place)
        if take("]", text, &place) { return .array([]) }
        while true {
            guard let value = value(text, &place, depth: depth + 1) else { return nil }
            elements.append(value)
            skipSpace(text, &place)
            if take("]", text, &place) { return .array(elements) }
            guard take(",", text, &place) else { return nil }
        }
    }

    private static func number(_ text: UnsafeRawBufferPointer, _ place: inout Int) -> LogValue? {
        let start = place
        while place < text.count {
            switch text[place] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                place += 1
                continue
            default: break
            }
            break
        }
        let digits = String(decoding: text[start..<place], as: UTF8.self)
        if let whole = Int64(digits) { return .int(whole) }
        return Double(digits).map { .double($0) }
    }

    private static func string(_ text: UnsafeRawBufferPointer, _ place: inout Int) -> String? {
        guard take("\"", text, &place) else { return nil }
        let start = place
        while place < text.count, text[place] != UInt8(ascii: "\""), text[place] != UInt8(ascii: "\\") { place += 1 }
        guard place < text.count else { return nil }
        if text[place] == UInt8(ascii: "\"") {
            place += 1
            return String(decoding: text[start..<place - 1], as: UTF8.self)
        }
        var bytes = [UInt8](text[start..<place])
        while place < text.count {
            let byte = text[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"): guard escape(text, &place, to: &bytes) else { return nil }
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private static func escape(_ text: UnsafeRawBufferPointer, _ place: inout Int, to bytes: inout [UInt8]) -> Bool {
        guard place < text.count else { return false }
        let byte = text[place]
        place += 1
        switch byte {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "u"):
            guard var scalar = hexadecimal(text, &place) else { return false }
            if 0xD800..<0xDC00 ~= scalar, place + 1 < text.count, text[place] == UInt8(ascii: "\\"),
                text[place + 1] == UInt8(ascii: "u")
            {
                var next = place + 2
                if let low = hexadecimal(text, &next), 0xDC00..<0xE000 ~= low {
                    scalar = 0x1_0000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
                    place = next
                }
            }
            bytes += String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8
        default: bytes.append(byte)
        }
        return true
    }

    /// The number of `\u001b`, or of `\u{1b}` as in text lines.
    private static func hexadecimal(_ text: UnsafeRawBufferPointer, _ place: inout Int) -> UInt32? {
        if place < text.count, text[place] == UInt8(ascii: "{") {
            let start = place + 1
            guard let end = text[start...].prefix(7).firstIndex(of: UInt8(ascii: "}")) else { return nil }
            place = end + 1
            return UInt32(String(decoding: text[start..<end], as: UTF8.self), radix: 16)
        }
        guard place + 4 <= text.count else { return nil }
        let digits = String(decoding: text[place..<place + 4], as: UTF8.self)
        place += 4
        return UInt32(digits, radix: 16)
    }

    private static func word(_ word: StaticString, _ text: UnsafeRawBufferPointer, _ place: inout Int) -> Bool {
        guard LineHeadReader.starts(UnsafeRawBufferPointer(rebasing: text[place...]), with: word) else { return false }
        place += word.utf8CodeUnitCount
        return true
    }

    private static func take(_ mark: Unicode.Scalar, _ text: UnsafeRawBufferPointer, _ place: inout Int) -> Bool {
        guard place < text.count, text[place] == UInt8(ascii: mark) else { return false }
        place += 1
        return true
    }

    private static func skipSpace(_ text: UnsafeRawBufferPointer, _ place: inout Int) {
        while place < text.count, text[place] == 0x20 || text[place] == 0x09 || text[place] == 0x0D { place += 1 }
    }
}
