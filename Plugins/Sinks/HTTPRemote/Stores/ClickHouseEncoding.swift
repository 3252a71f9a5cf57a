#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailText

/// Rows of the table `otel_logs` of OpenTelemetry's exporter, for `INSERT INTO otel_logs FORMAT JSONEachRow`.
struct ClickHouseEncoding: BatchEncoding {
    var contentType: String { "application/x-ndjson" }

    func body(of batch: SpoolBatch, from resource: ResourceAttributes) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(batch.bytes.count * 3)
        let attributes = resource.all(of: batch.run)
        let service = attributes.first { $0.name == "service.name" }?.value ?? ""
        _ = batch.withRecords { batch in
            batch.forEach { view in
                let time = "\(view.timestamp)"
                // Without the time zone, which is UTC.
                bytes.add("{\"Timestamp\":\"\(time.prefix(10)) \(time.dropFirst(11).dropLast())\"")
                bytes.add("SeverityText", .string(view.level.name))
                bytes.add(",\"SeverityNumber\":\(view.level.openTelemetrySeverity)")
                bytes.add("ServiceName", .string(service))
                bytes.add("Body", .string(view.message))
                if !view.logger.isEmpty { bytes.add("ScopeName", .string(view.logger)) }
                if let event = view.eventName { bytes.add("EventName", .string(event)) }
                if let trace = view.trace {
                    bytes.add("TraceId", .string("\(trace.traceID)"))
                    bytes.add("SpanId", .string("\(trace.spanID)"))
                    bytes.add(",\"TraceFlags\":\(trace.flags.rawValue)")
                }
                bytes.add(",\"ResourceAttributes\":{")
                for (index, attribute) in attributes.enumerated() {
                    bytes.add(attribute.name, .string(attribute.value), isFirst: index == 0)
                }
                bytes.add("},\"LogAttributes\":{")
                var isFirst = true
                OTLPFields.forEach(of: view) { key, value in
                    bytes.add(key, .string(value.description), isFirst: isFirst)
                    isFirst = false
                }
                bytes.add("}}\n")
            }
        }
        return bytes
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> AnswerMeaning {
        switch status {
        // The head of a response may have been sent before the insert failed; the body then contains the error.
        case 200 where String(decoding: body, as: UTF8.self).contains("DB::Exception"): AnswerMeaning(.later)
        case 200: AnswerMeaning(.accepted(refused: 0))
        case 201..<300: AnswerMeaning(.later)
        default: AnswerMeaning(failure: status)
        }
    }
}
#endif
