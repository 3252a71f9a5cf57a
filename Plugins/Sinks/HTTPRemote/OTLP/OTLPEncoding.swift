#if HTTP
internal import FoundationEssentials
internal import SwiftProtobuf
internal import Taffrail
internal import TaffrailDelivery

/// OTLP logs as protobuf, with the messages that swift-protobuf has generated.
struct OTLPEncoding: BatchEncoding {
    private typealias Request = Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceRequest
    private typealias Response = Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceResponse
    private typealias ScopeLogs = Opentelemetry_Proto_Logs_V1_ScopeLogs
    private typealias Record = Opentelemetry_Proto_Logs_V1_LogRecord
    private typealias KeyValue = Opentelemetry_Proto_Common_V1_KeyValue
    private typealias AnyValue = Opentelemetry_Proto_Common_V1_AnyValue

    var contentType: String { "application/x-protobuf" }

    func body(of batch: SpoolBatch, from resource: ResourceAttributes) throws -> [UInt8] {
        // One scope for each sequence of records of the same logger.
        var scopes: [ScopeLogs] = []
        _ = batch.withRecords { batch in
            batch.forEach { view in
                let logger = view.logger
                if scopes.last?.scope.name.utf8.elementsEqual(logger.utf8) != true {
                    scopes.append(.with { $0.scope.name = logger })
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

    private static func record(_ view: borrowing RecordView) -> Record {
        var record = Record()
        let level = view.level
        record.timeUnixNano = UInt64(max(0, view.timestamp.nanoseconds))
        record.observedTimeUnixNano = record.timeUnixNano
        record.severityNumber = .init(rawValue: level.openTelemetrySeverity) ?? .info
        record.severityText = level.name
        record.body = .with { $0.stringValue = view.message }
        OTLPFields.forEach(of: view) { record.attributes.append(pair($0, $1)) }
        if let event = view.eventName { record.eventName = event }
        if let trace = view.trace {
            record.traceID = bytes(trace.traceID.high) + bytes(trace.traceID.low)
            record.spanID = bytes(trace.spanID.value)
            record.flags = UInt32(trace.flags.rawValue)
        }
        return record
    }

    /// The most significant byte first.
    private static func bytes(_ number: UInt64) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }

    private static func pair(_ key: String, _ value: LogValue) -> KeyValue {
        .with { pair in
            pair.key = key
            pair.value = any(value)
        }
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

    func verdict(_ status: Int, _ body: [UInt8]) -> ResponseMeaning {
        OTLPResponse.meaning(of: status, body) {
            // Some collectors respond in JSON even to protobuf.
            guard let response = try? Response(serializedBytes: body) else { return OTLPJSONEncoding.content(of: body) }
            guard response.hasPartialSuccess else { return .success }
            let partial = response.partialSuccess
            return .partial(UInt64(max(0, partial.rejectedLogRecords)), partial.errorMessage)
        }
    }
}
#endif
