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
                bytes.append(object: { row in
                    let time = "\(view.timestamp)"
                    // Without the time zone, which is UTC.
                    row.add("Timestamp", "\(time.prefix(10)) \(time.dropFirst(11).dropLast())")
                    row.add("SeverityText", view.level.name)
                    row.add("SeverityNumber", whole: view.level.openTelemetrySeverity)
                    row.add("ServiceName", service)
                    row.add("Body", view.message)
                    if !view.logger.isEmpty { row.add("ScopeName", view.logger) }
                    row.add("EventName", known: view.eventName)
                    if let trace = view.trace {
                        row.add("TraceId", "\(trace.traceID)")
                        row.add("SpanId", "\(trace.spanID)")
                        row.add("TraceFlags", whole: trace.flags.rawValue)
                    }
                    row.add("ResourceAttributes") { map in
                        for attribute in attributes { map.add(attribute.name, attribute.value) }
                    }
                    row.add("LogAttributes") { map in
                        RecordAttributes.forEach(of: view) { key, value in map.add(key, value.description) }
                    }
                })
                bytes.append("\n")
            }
        }
        return bytes
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> ResponseMeaning {
        switch status {
        // The head of a response may have been sent before the insert failed; the body then contains the error.
        case 200 where String(decoding: body, as: UTF8.self).contains("DB::Exception"): ResponseMeaning(.later)
        case 200: ResponseMeaning(.accepted(refused: 0))
        case 201..<300: ResponseMeaning(.later)
        default: ResponseMeaning(failure: status)
        }
    }
}
#endif
