internal import Taffrail

/// OTLP's `ExportLogsServiceRequest` in protobuf.
struct OTLPProtobufBody {
    private let arrival: Arrival
    private var values: ValueCount
    private var result = ReceivedRecords()

    private init(_ arrival: Arrival, _ values: ValueCount) {
        self.arrival = arrival
        self.values = values
    }

    /// Reads a body. Fields may have any order, and unknown ones are skipped.
    static func read(_ body: [UInt8], _ arrival: Arrival) throws(Problem) -> ReceivedRecords {
        var reader = OTLPProtobufBody(arrival, try ValueCount(arrival.memory, of: body))
        // The closure returns a result, because typed errors would be lost here.
        let outcome = body.withUnsafeBytes { bytes -> Result<ReceivedRecords, any Error> in
            Result { try reader.read(ProtobufReader(bytes)) }
        }
        do { return try outcome.get() } catch let problem as Problem {
            throw problem
        } catch {
            let offset = (error as? ProtobufReader.Malformed)?.offset ?? 0
            throw .bad("the body is not protobuf at byte \(offset)")
        }
    }

    private mutating func read(_ message: consuming ProtobufReader) throws -> ReceivedRecords {
        while let (number, wire) = try message.next() {
            guard number == 1, wire == .bytes else {
                try message.skip(wire)
                continue
            }
            try readResourceLogs(try message.message())
        }
        return result
    }

    private mutating func readResourceLogs(_ message: consuming ProtobufReader) throws {
        var resource: [LogValueEntry] = []
        var scopes: [OTLPScope] = []
        while let (number, wire) = try message.next() {
            switch (number, wire) {
            case (1, .bytes): resource += try attributes(of: try message.message(), field: 1)
            case (2, .bytes): scopes.append(try scopeLogs(try message.message()))
            default: try message.skip(wire)
            }
        }
        for scope in scopes { try scope.append(to: &result, resource: resource, arrival, &values) }
    }

    private mutating func scopeLogs(_ message: consuming ProtobufReader) throws -> OTLPScope {
        try values.add()
        var scope = OTLPScope()
        while let (number, wire) = try message.next() {
            switch (number, wire) {
            case (1, .bytes):
                var fields = try message.message()
                while let (number, wire) = try fields.next() {
                    switch (number, wire) {
                    case (1, .bytes): scope.name = try fields.text()
                    case (3, .bytes): scope.attributes.append(try pair(try fields.message(), depth: 0))
                    default: try fields.skip(wire)
                    }
                }
            case (2, .bytes): scope.records.append(try record(try message.message()))
            default: try message.skip(wire)
            }
        }
        return scope
    }

    private mutating func record(_ message: consuming ProtobufReader) throws -> OTLPRecord {
        try values.addRecord()
        var record = OTLPRecord()
        while let (number, wire) = try message.next() {
            switch (number, wire) {
            case (1, .fixed64): record.time = try message.fixed64()
            case (11, .fixed64): record.observed = try message.fixed64()
            case (2, .varint): record.severity = Int64(bitPattern: try message.varint())
            case (3, .bytes): record.severityText = try message.text()
            case (5, .bytes): record.body = try value(try message.message(), depth: 0)
            case (6, .bytes): record.attributes.append(try pair(try message.message(), depth: 0))
            case (7, .varint): record.dropped = try message.varint()
            case (8, .fixed32): record.flags = UInt64(try message.fixed32())
            case (9, .bytes): record.traceID = Self.traceID(try message.data())
            case (10, .bytes): record.spanID = Self.spanID(try message.data())
            case (12, .bytes): record.eventName = try message.text()
            default: try message.skip(wire)
            }
        }
        return record
    }

    private mutating func attributes(
        of message: consuming ProtobufReader, field: UInt64
    ) throws -> [LogValueEntry] {
        var entries: [LogValueEntry] = []
        while let (number, wire) = try message.next() {
            guard number == field, wire == .bytes else {
                try message.skip(wire)
                continue
            }
            entries.append(try pair(try message.message(), depth: 0))
        }
        return entries
    }

    private mutating func pair(_ message: consuming ProtobufReader, depth: Int) throws -> LogValueEntry {
        try values.add()
        var entry = LogValueEntry("", .string(""))
        while let (number, wire) = try message.next() {
            switch (number, wire) {
            case (1, .bytes): entry.key = try message.text()
            case (2, .bytes): entry.value = try value(try message.message(), depth: depth)
            default: try message.skip(wire)
            }
        }
        return entry
    }

    private mutating func value(_ message: consuming ProtobufReader, depth: Int) throws -> LogValue {
        try values.add()
        guard depth < AttributeNesting.limit else {
            throw Problem.bad("a value is nested deeper than \(AttributeNesting.limit) levels")
        }
        var value = LogValue.string("")
        while let (number, wire) = try message.next() {
            switch (number, wire) {
            case (1, .bytes): value = .string(try message.text())
            case (2, .varint): value = .bool(try message.varint() != 0)
            case (3, .varint): value = .int(Int64(bitPattern: try message.varint()))
            case (4, .fixed64): value = .double(Double(bitPattern: try message.fixed64()))
            case (5, .bytes):
                var elements: [LogValue] = []
                var list = try message.message()
                while let (number, wire) = try list.next() {
                    if number == 1, wire == .bytes {
                        elements.append(try self.value(try list.message(), depth: depth + 1))
                    } else {
                        try list.skip(wire)
                    }
                }
                value = .array(elements)
            case (6, .bytes):
                var entries: [LogValueEntry] = []
                var list = try message.message()
                while let (number, wire) = try list.next() {
                    if number == 1, wire == .bytes {
                        entries.append(try pair(try list.message(), depth: depth + 1))
                    } else {
                        try list.skip(wire)
                    }
                }
                value = .map(entries)
            case (7, .bytes): value = .bytes(try message.data())
            default: try message.skip(wire)
            }
        }
        return value
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Returns a trace id; `nil` if it has another length or contains only zeros.
    private static func traceID(_ bytes: [UInt8]) -> TraceContext.TraceID? {
        guard bytes.count == 16, bytes.contains(where: { $0 != 0 }) else { return nil }
        return TraceContext.TraceID(high: number(bytes[..<8]), low: number(bytes[8...]))
    }

    private static func spanID(_ bytes: [UInt8]) -> TraceContext.SpanID? {
        guard bytes.count == 8, bytes.contains(where: { $0 != 0 }) else { return nil }
        return TraceContext.SpanID(number(bytes))
    }
}
