internal import Taffrail
internal import TaffrailText

/// OTLP's `ExportLogsServiceRequest` in JSON: names in lowerCamelCase, 64-bit numbers also as strings, ids in
/// hexadecimal.
struct OTLPJSONBody: ~Copyable {
    private var reader: JSONReader
    private let arrival: Arrival
    private var values: ValueCount
    private var result = ReceivedRecords()

    private init(_ body: [UInt8], _ arrival: Arrival, _ values: ValueCount) {
        // Some exporters truncate values in the middle of a character; the other records must still be accepted.
        reader = JSONReader(body, isStrict: false)
        self.arrival = arrival
        self.values = values
    }

    /// Reads a body. Members may have any order, and unknown ones are skipped.
    static func read(_ body: [UInt8], _ arrival: Arrival) throws(Problem) -> ReceivedRecords {
        var reader = OTLPJSONBody(body, arrival, try ValueCount(arrival.memory, of: body))
        do {
            return try reader.read()
        } catch let problem as Problem {
            throw problem
        } catch let error as ReadError {
            throw .bad("the body is not OTLP in JSON: \(error.reason) at byte \(error.offset)")
        } catch {
            throw .bad("the body is not OTLP in JSON")
        }
    }

    private mutating func read() throws -> ReceivedRecords {
        try reader.skipByteOrderMark()
        guard try reader.next() == .beginObject else { throw reader.error("expected an object") }
        while try reader.nextKey() {
            guard reader.isText("resourceLogs") else {
                try reader.skipValue()
                continue
            }
            try forEachObject { reader throws in try reader.readResourceLogs() }
        }
        _ = try reader.next()
        return result
    }

    /// Calls `body` within each object of the array that is the next value.
    private mutating func forEachObject(_ body: (inout OTLPJSONBody) throws -> Void) throws {
        switch try reader.next() {
        case .null: return
        case .beginArray: break
        default: throw reader.error("expected an array")
        }
        while true {
            switch try reader.next() {
            case .endArray: return
            case .beginObject: try body(&self)
            default: throw reader.error("expected an object")
            }
        }
    }

    private mutating func readResourceLogs() throws {
        var resource: [LogValueEntry] = []
        var scopes: [OTLPScope] = []
        while try reader.nextKey() {
            if reader.isText("resource") {
                guard try reader.enterObject() else { continue }
                while try reader.nextKey() {
                    if reader.isText("attributes") {
                        resource += try attributes()
                    } else {
                        try reader.skipValue()
                    }
                }
            } else if reader.isText("scopeLogs") {
                try forEachObject { reader throws in scopes.append(try reader.scopeLogs()) }
            } else {
                try reader.skipValue()
            }
        }
        for scope in scopes { try scope.append(to: &result, resource: resource, arrival, &values) }
    }

    private mutating func scopeLogs() throws -> OTLPScope {
        try values.add()
        var scope = OTLPScope()
        while try reader.nextKey() {
            if reader.isText("scope") {
                guard try reader.enterObject() else { continue }
                while try reader.nextKey() {
                    if reader.isText("name") {
                        scope.name = try reader.optionalText() ?? ""
                    } else if reader.isText("attributes") {
                        scope.attributes += try attributes()
                    } else {
                        try reader.skipValue()
                    }
                }
            } else if reader.isText("logRecords") {
                try forEachObject { reader throws in scope.records.append(try reader.record()) }
            } else {
                try reader.skipValue()
            }
        }
        return scope
    }

    private mutating func record() throws -> OTLPRecord {
        try values.addRecord()
        var record = OTLPRecord()
        while try reader.nextKey() {
            if reader.isText("timeUnixNano") {
                record.time = try unsigned()
            } else if reader.isText("observedTimeUnixNano") {
                record.observed = try unsigned()
            } else if reader.isText("severityNumber") {
                record.severity = Int64(clamping: try unsigned())
            } else if reader.isText("severityText") {
                record.severityText = try reader.optionalText() ?? ""
            } else if reader.isText("body") {
                if try reader.enterObject() { record.body = try value() }
            } else if reader.isText("attributes") {
                record.attributes += try attributes()
            } else if reader.isText("droppedAttributesCount") {
                record.dropped = try unsigned()
            } else if reader.isText("flags") {
                record.flags = try unsigned()
            } else if reader.isText("traceId") {
                record.traceID = try reader.optionalText().flatMap { TraceContext.TraceID($0) }
                if record.traceID == TraceContext.TraceID(high: 0, low: 0) { record.traceID = nil }
            } else if reader.isText("spanId") {
                record.spanID = try reader.optionalText().flatMap { TraceContext.SpanID($0) }
                if record.spanID == TraceContext.SpanID(0) { record.spanID = nil }
            } else if reader.isText("eventName") {
                record.eventName = try reader.optionalText() ?? ""
            } else {
                try reader.skipValue()
            }
        }
        return record
    }

    /// Attributes: an array of objects with `key` and `value`.
    private mutating func attributes() throws -> [LogValueEntry] {
        var entries: [LogValueEntry] = []
        try forEachObject { reader throws in entries.append(try reader.pair()) }
        return entries
    }

    private mutating func pair() throws -> LogValueEntry {
        try values.add()
        var entry = LogValueEntry("", .string(""))
        while try reader.nextKey() {
            if reader.isText("key") {
                entry.key = try reader.optionalText() ?? ""
            } else if reader.isText("value") {
                if try reader.enterObject() { entry.value = try value() }
            } else {
                try reader.skipValue()
            }
        }
        return entry
    }

    /// Reads the rest of an object that represents a value. The reader limits the nesting.
    private mutating func value() throws -> LogValue {
        try values.add()
        var value = LogValue.string("")
        while try reader.nextKey() {
            if reader.isText("stringValue") {
                value = .string(try reader.optionalText() ?? "")
            } else if reader.isText("boolValue") {
                value = .bool(try reader.optionalBool() ?? false)
            } else if reader.isText("intValue") {
                value = try integer()
            } else if reader.isText("doubleValue") {
                value = .double(try double())
            } else if reader.isText("bytesValue") {
                let text = try reader.optionalText() ?? ""
                guard let bytes = Base64.decoded(text.utf8) else { throw reader.error("expected base64") }
                value = .bytes(bytes)
            } else if reader.isText("arrayValue") {
                var elements: [LogValue] = []
                try forEachValue { reader throws in elements.append(try reader.value()) }
                value = .array(elements)
            } else if reader.isText("kvlistValue") {
                var entries: [LogValueEntry] = []
                try forEachValue { reader throws in entries.append(try reader.pair()) }
                value = .map(entries)
            } else {
                try reader.skipValue()
            }
        }
        return value
    }

    /// Calls `body` within each object of `{"values": […]}`.
    private mutating func forEachValue(_ body: (inout OTLPJSONBody) throws -> Void) throws {
        guard try reader.enterObject() else { return }
        while try reader.nextKey() {
            if reader.isText("values") { try forEachObject(body) } else { try reader.skipValue() }
        }
    }

    /// Reads an unsigned number, which may be in a string.
    private mutating func unsigned() throws -> UInt64 {
        switch try reader.next() {
        case .null: return 0
        case .string, .number:
            guard let number = UInt64(reader.text) else { throw reader.error("expected a whole number") }
            return number
        default: throw reader.error("expected a number")
        }
    }

    /// Reads a number, which may be in a string.
    private mutating func integer() throws -> LogValue {
        switch try reader.next() {
        case .null: return .int(0)
        case .string, .number:
            guard let number = Int64(reader.text) else { throw reader.error("expected a whole number") }
            return .int(number)
        default: throw reader.error("expected a number")
        }
    }

    /// Reads a number, which may be in a string, such as `NaN`.
    private mutating func double() throws -> Double {
        switch try reader.next() {
        case .null: return 0
        case .number: return reader.number
        case .string:
            switch reader.text {
            case "NaN": return .nan
            case "Infinity": return .infinity
            case "-Infinity": return -.infinity
            default:
                guard let number = Double(reader.text) else { throw reader.error("expected a number") }
                return number
            }
        default: throw reader.error("expected a number")
        }
    }
}
