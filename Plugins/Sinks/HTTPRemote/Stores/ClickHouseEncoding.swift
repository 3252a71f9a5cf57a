#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailText

/// Rows of the table `otel_logs` of OpenTelemetry's exporter, for `INSERT INTO otel_logs FORMAT JSONEachRow`.
struct ClickHouseEncoding: BatchEncoding {
    var contentType: String { "application/x-ndjson" }

    func body(of batch: SpoolReader.Part, from resource: ResourceAttributes) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(batch.bytes.count * 3)
        let attributes = resource.all(of: batch.run)
        let service = attributes.first { $0.name == "service.name" }?.value ?? ""
        _ = batch.withRecords { batch in
            batch.forEach { view in
                let time = "\(view.timestamp)"
                // Without the time zone, which is UTC.
                bytes.add("{\"Timestamp\":\"\(time.prefix(10)) \(time.dropFirst(11).dropLast())\"")
                Self.append("SeverityText", view.level.name, to: &bytes)
                bytes.add(",\"SeverityNumber\":\(view.level.openTelemetrySeverity)")
                Self.append("ServiceName", service, to: &bytes)
                Self.append("Body", view.message, to: &bytes)
                if !view.logger.isEmpty { Self.append("ScopeName", view.logger, to: &bytes) }
                if let event = view.eventName { Self.append("EventName", event, to: &bytes) }
                if let trace = view.trace {
                    Self.append("TraceId", "\(trace.traceID)", to: &bytes)
                    Self.append("SpanId", "\(trace.spanID)", to: &bytes)
                    bytes.add(",\"TraceFlags\":\(trace.flags.rawValue)")
                }
                bytes.add(",\"ResourceAttributes\":{")
                for (index, attribute) in attributes.enumerated() {
                    Self.append(attribute.name, attribute.value, isFirst: index == 0, to: &bytes)
                }
                bytes.add("},\"LogAttributes\":{")
                var isFirst = true
                OTLPFields.forEach(of: view) { key, value in
                    Self.append(key, value.description, isFirst: isFirst, to: &bytes)
                    isFirst = false
                }
                bytes.add("}}\n")
            }
        }
        return bytes
    }

    private static func append(_ key: String, _ value: String, isFirst: Bool = false, to bytes: inout [UInt8]) {
        if !isFirst { bytes.add(",") }
        bytes.append(json: key)
        bytes.add(":")
        bytes.append(json: value)
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> AnswerMeaning {
        switch status {
        // The head of an answer may have been sent before the insert failed, which is then in its body.
        case 200 where String(decoding: body, as: UTF8.self).contains("DB::Exception"): AnswerMeaning(.later)
        case 200: AnswerMeaning(.accepted(refused: 0))
        case 201..<300: AnswerMeaning(.later)
        default: AnswerMeaning(failure: status)
        }
    }
}
#endif
