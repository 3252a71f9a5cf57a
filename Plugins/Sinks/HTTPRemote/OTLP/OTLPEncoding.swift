#if HTTP
internal import FoundationEssentials
internal import SwiftProtobuf
internal import Taffrail
internal import TaffrailDelivery

/// OTLP logs as protobuf.
struct OTLPEncoding: BatchEncoding {
    private typealias Request = Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceRequest
    private typealias Response = Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceResponse
    private typealias AnyValue = Opentelemetry_Proto_Common_V1_AnyValue
    private typealias KeyValue = Opentelemetry_Proto_Common_V1_KeyValue
    private typealias ScopeLogs = Opentelemetry_Proto_Logs_V1_ScopeLogs

    var contentType: String { "application/x-protobuf" }

    func body(of batch: SpoolReader.Part, from resource: ResourceAttributes) throws -> [UInt8] {
        var scopes: [ScopeLogs] = []
        var logger = ""
        _ = batch.withRecords { batch in
            batch.forEach { view in
                let name = view.logger
                if scopes.isEmpty || name != logger {
                    logger = name
                    scopes.append(.with { $0.scope.name = name })
                }
                scopes[scopes.count - 1].logRecords.append(Self.record(view))
            }
        }
        let request = Request.with { request in
            request.resourceLogs = [
                .with { logs in
                    logs.resource.attributes = resource.all(of: batch.run).map { Self.pair($0.name, .string($0.value)) }
                    logs.scopeLogs = scopes
                }
            ]
        }
        return try request.serializedBytes()
    }

    private static func record(_ view: borrowing RecordView) -> Opentelemetry_Proto_Logs_V1_LogRecord {
        var record = Opentelemetry_Proto_Logs_V1_LogRecord()
        let level = view.level
        record.timeUnixNano = UInt64(max(0, view.timestamp.nanoseconds))
        record.observedTimeUnixNano = record.timeUnixNano
        record.severityNumber = Opentelemetry_Proto_Logs_V1_SeverityNumber(rawValue: level.severityNumber) ?? .info
        record.severityText = level.name
        record.body = .with { $0.stringValue = view.message }
        OTLPFields.forEach(of: view) { record.attributes.append(pair($0, $1)) }
        if let event = view.eventName { record.eventName = event }
        if let trace = view.trace {
            record.traceID = Data(bytes(trace.traceID.high) + bytes(trace.traceID.low))
            record.spanID = Data(bytes(trace.spanID.value))
            record.flags = UInt32(trace.flags.rawValue)
        }
        return record
    }

    /// The most significant byte first.
    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func pair(_ key: String, _ value: LogValue) -> KeyValue {
        var pair = KeyValue()
        pair.key = key
        pair.value = any(value)
        return pair
    }

    private static func any(_ value: LogValue) -> AnyValue {
        var any = AnyValue()
        switch value {
        case .string(let text): any.stringValue = text
        case .int(let number): any.intValue = number
        case .double(let number): any.doubleValue = number
        case .bool(let isTrue): any.boolValue = isTrue
        case .bytes(let bytes): any.bytesValue = Data(bytes)
        case .date: any.stringValue = value.description
        case .array(let elements): any.arrayValue.values = elements.map(Self.any)
        case .map(let entries): any.kvlistValue.values = entries.map { pair($0.key, $0.value) }
        }
        return any
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> AnswerMeaning {
        OTLPAnswer.meaning(of: status, body) {
            // Some answer as if they had been asked in JSON.
            guard let response = try? Response(serializedBytes: body) else { return OTLPJSONEncoding.content(of: body) }
            guard response.hasPartialSuccess else { return .success }
            let partial = response.partialSuccess
            return .partial(UInt64(max(0, partial.rejectedLogRecords)), partial.errorMessage)
        }
    }
}

/// Attributes beyond those of OpenTelemetry's own fields.
enum OTLPFields {
    /// Calls `body` with all attributes of a record: its own ones, and those that this project adds.
    static func forEach(of view: borrowing RecordView, _ body: (String, LogValue) -> Void) {
        let attributes = view.attributes
        // Names must be unique, and these two identify the record.
        for entry in attributes where entry.key != "taffrail.run" && entry.key != "taffrail.seq" {
            body(entry.key, entry.value)
        }
        body("taffrail.run", .string("\(view.run)"))
        body("taffrail.seq", .int(Int64(clamping: view.sequence)))
        func add(_ key: String, _ value: LogValue) {
            if !attributes.contains(where: { $0.key == key }) { body(key, value) }
        }
        // Some collectors drop the field of that name.
        if let event = view.eventName { add("event.name", .string(event)) }
        guard let source = view.source else { return }
        add("code.file.path", .string(source.file))
        add("code.function.name", .string(source.function))
        add("code.line.number", .int(Int64(source.line)))
    }
}

/// What OTLP's answers mean, in both encodings.
enum OTLPAnswer {
    /// The body of an answer.
    enum Content {
        case success
        /// How many records were refused, and why.
        case partial(UInt64, String)
        /// Nothing that a collector answers.
        case other
    }

    static func meaning(of status: Int, _ body: [UInt8], _ content: () -> Content) -> AnswerMeaning {
        switch status {
        case 200:
            guard !body.isEmpty else { return AnswerMeaning(.accepted(refused: 0)) }
            switch content() {
            case .success: return AnswerMeaning(.accepted(refused: 0))
            case .partial(let refused, let message): return AnswerMeaning(.accepted(refused: refused), message)
            case .other: return AnswerMeaning(.later, "the answer is not a collector's")
            }
        // Some collectors answer so.
        case 202, 204: return AnswerMeaning(.accepted(refused: 0))
        // No other status confirms anything.
        case 201..<300: return AnswerMeaning(.later)
        default: return AnswerMeaning(failure: status)
        }
    }
}
#endif
