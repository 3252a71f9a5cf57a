#if HTTP
import FoundationEssentials
import SwiftProtobuf

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// The requests of ``OTLPEncoding`` as swift-protobuf writes them from the generated messages.
enum OTLPReference {
    private typealias Request = Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceRequest
    private typealias AnyValue = Opentelemetry_Proto_Common_V1_AnyValue
    private typealias KeyValue = Opentelemetry_Proto_Common_V1_KeyValue
    private typealias ScopeLogs = Opentelemetry_Proto_Logs_V1_ScopeLogs

    static func body(of batch: SpoolBatch, from resource: ResourceAttributes) throws -> [UInt8] {
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
        record.severityNumber =
            Opentelemetry_Proto_Logs_V1_SeverityNumber(rawValue: level.openTelemetrySeverity) ?? .info
        record.severityText = level.name
        record.body = .with { $0.stringValue = view.message }
        RecordAttributes.forEach(of: view) { record.attributes.append(pair($0, $1)) }
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
}
#endif
