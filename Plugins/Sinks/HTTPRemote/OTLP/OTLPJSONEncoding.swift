#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailText

/// OTLP logs as JSON: names in lowerCamelCase, enumerations as numbers, 64-bit numbers as strings, ids in hexadecimal.
struct OTLPJSONEncoding: BatchEncoding {
    var contentType: String { "application/json" }

    func body(of batch: SpoolBatch, from resource: ResourceAttributes) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(batch.bytes.count * 4)
        bytes.append("{\"resourceLogs\":[{\"resource\":{\"attributes\":[")
        for (index, attribute) in resource.all(of: batch.run).enumerated() {
            if index > 0 { bytes.append(",") }
            Self.append(attribute.name, .string(attribute.value), to: &bytes)
        }
        bytes.append("]},\"scopeLogs\":[")
        var logger: String?
        _ = batch.withRecords { batch in
            batch.forEach { view in
                let name = view.logger
                if logger != name {
                    if logger != nil { bytes.append("]},") }
                    bytes.append("{\"scope\":{\"name\":")
                    bytes.append(json: name)
                    bytes.append("},\"logRecords\":[")
                    logger = name
                } else {
                    bytes.append(",")
                }
                Self.append(view, to: &bytes)
            }
        }
        bytes.add(logger == nil ? "]}]}" : "]}]}]}")
        return bytes
    }

    private static func append(_ view: borrowing RecordView, to bytes: inout [UInt8]) {
        let time = max(0, view.timestamp.nanoseconds)
        bytes.add("{\"timeUnixNano\":\"\(time)\",\"observedTimeUnixNano\":\"\(time)\"")
        bytes.add(",\"severityNumber\":\(view.level.openTelemetrySeverity),\"severityText\":\"\(view.level.name)\"")
        bytes.append(",\"body\":{\"stringValue\":")
        bytes.append(json: view.message)
        bytes.append("},\"attributes\":[")
        var isFirst = true
        OTLPFields.forEach(of: view) { key, value in
            if !isFirst { bytes.append(",") }
            isFirst = false
            append(key, value, to: &bytes)
        }
        bytes.append("]")
        if let event = view.eventName {
            bytes.append(",\"eventName\":")
            bytes.append(json: event)
        }
        if let trace = view.trace {
            bytes.add(",\"traceId\":\"\(trace.traceID)\",\"spanId\":\"\(trace.spanID)\"")
            bytes.add(",\"flags\":\(trace.flags.rawValue)")
        }
        bytes.append("}")
    }

    private static func append(_ key: String, _ value: LogValue, to bytes: inout [UInt8]) {
        bytes.append("{\"key\":")
        bytes.append(json: key)
        bytes.append(",\"value\":")
        append(value, to: &bytes)
        bytes.append("}")
    }

    private static func append(_ value: LogValue, to bytes: inout [UInt8]) {
        switch value {
        case .string(let text):
            bytes.append("{\"stringValue\":")
            bytes.append(json: text)
        case .int(let number): bytes.add("{\"intValue\":\"\(number)\"")
        case .double(let number) where number.isFinite:
            bytes.append("{\"doubleValue\":")
            bytes.append(json: value)
        case .double(let number):
            // Protobuf's JSON uses these names in a doubleValue, which some collectors refuse.
            bytes.add("{\"stringValue\":\"\(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")\"")
        case .bool(let isTrue): bytes.add("{\"boolValue\":\(isTrue)")
        case .bytes:
            bytes.append("{\"bytesValue\":")
            bytes.append(json: value.description)
        case .date:
            bytes.append("{\"stringValue\":")
            bytes.append(json: value.description)
        case .array(let elements):
            bytes.append("{\"arrayValue\":{\"values\":[")
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(",") }
                append(element, to: &bytes)
            }
            bytes.append("]}")
        case .map(let entries):
            bytes.append("{\"kvlistValue\":{\"values\":[")
            for (index, entry) in entries.enumerated() {
                if index > 0 { bytes.append(",") }
                append(entry.key, entry.value, to: &bytes)
            }
            bytes.append("]}")
        }
        bytes.append("}")
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> AnswerMeaning {
        OTLPAnswer.meaning(of: status, body) { Self.content(of: body) }
    }

    /// Returns the contents of a response's body.
    static func content(of body: [UInt8]) -> OTLPAnswer.Content {
        var reader = JSONReader(body)
        guard case .map(let fields)? = try? reader.value() else { return .other }
        guard case .map(let partial)? = fields.first(where: { $0.key == "partialSuccess" })?.value else {
            return .success
        }
        var refused: UInt64 = 0
        var message = ""
        for entry in partial {
            switch (entry.key, entry.value) {
            case ("rejectedLogRecords", .string(let text)): refused = UInt64(text) ?? 0
            case ("rejectedLogRecords", .int(let number)): refused = UInt64(max(0, number))
            case ("errorMessage", .string(let text)): message = text
            default: break
            }
        }
        return .partial(refused, message)
    }
}
#endif
