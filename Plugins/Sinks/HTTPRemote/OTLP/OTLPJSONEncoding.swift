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
        bytes.append("{\"resourceLogs\":[")
        bytes.append(element: { logs in
            logs.add("resource") { object in
                object.add("attributes", resource.all(of: batch.run)) { $0.add($1.name, .string($1.value)) }
            }
            logs.add(list: "scopeLogs") { Self.append(batch, to: &$0) }
        })
        bytes.append("]}")
        return bytes
    }

    /// Appends the records, one scope for each sequence of records of the same logger.
    private static func append(_ batch: SpoolBatch, to bytes: inout [UInt8]) {
        var logger: String?
        _ = batch.withRecords { batch in
            batch.forEach { view in
                let name = view.logger
                if logger?.utf8.elementsEqual(name.utf8) != true {
                    if logger != nil { bytes.append("]},") }
                    bytes.append("{\"scope\":{\"name\":")
                    bytes.append(json: name)
                    bytes.append("},\"logRecords\":[")
                    logger = name
                }
                bytes.append(element: { $0.add(view) })
            }
        }
        if logger != nil { bytes.append("]}") }
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> ResponseMeaning {
        OTLPResponse.meaning(of: status, body) { Self.content(of: body) }
    }

    /// Returns the contents of a response's body.
    static func content(of body: [UInt8]) -> OTLPResponse.Content {
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

extension JSONObject {
    fileprivate mutating func add(_ view: borrowing RecordView) {
        let time = "\(max(0, view.timestamp.nanoseconds))"
        add("timeUnixNano", time)
        add("observedTimeUnixNano", time)
        add("severityNumber", whole: view.level.openTelemetrySeverity)
        add("severityText", view.level.name)
        add("body") { $0.add("stringValue", view.message) }
        add(list: "attributes") { attributes in
            RecordAttributes.forEach(of: view) { key, value in attributes.append(element: { $0.add(key, value) }) }
        }
        add("eventName", known: view.eventName)
        if let trace = view.trace {
            add("traceId", "\(trace.traceID)")
            add("spanId", "\(trace.spanID)")
            add("flags", whole: trace.flags.rawValue)
        }
    }

    /// Adds an attribute.
    fileprivate mutating func add(_ key: String, _ value: LogValue) {
        add("key", key)
        add("value") { $0.add(value) }
    }

    private mutating func add(_ value: LogValue) {
        switch value {
        case .string(let text): add("stringValue", text)
        case .int(let number): add("intValue", "\(number)")
        case .double(let number) where number.isFinite: add("doubleValue", number)
        case .double(let number):
            // Protobuf's JSON uses these names in a doubleValue, which some collectors refuse.
            add("stringValue", number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
        case .bool(let isTrue): add("boolValue", isTrue)
        case .bytes: add("bytesValue", value.description)
        case .date: add("stringValue", value.description)
        case .array(let elements): add("arrayValue") { $0.add("values", elements) { $0.add($1) } }
        case .map(let entries): add("kvlistValue") { $0.add("values", entries) { $0.add($1.key, $1.value) } }
        }
    }
}
#endif
