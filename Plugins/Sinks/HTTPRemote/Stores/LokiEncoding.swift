#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailText

/// Loki's push API: one stream for each program, with everything that varies as structured metadata.
struct LokiEncoding: BatchEncoding {
    var contentType: String { "application/json" }

    func body(of batch: SpoolBatch, from resource: ResourceAttributes) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(batch.bytes.count * 2)
        bytes.add("{\"streams\":[{\"stream\":{")
        // A label for each run would create a stream for each run.
        let labels = resource.all(of: batch.run).filter { $0.name != "service.instance.id" }
        for (index, label) in labels.enumerated() {
            bytes.add((index > 0 ? ",\"" : "\"") + Self.name(label.name) + "\":")
            bytes.append(json: label.value)
        }
        bytes.add("},\"values\":[")
        var isFirst = true
        _ = batch.withRecords { batch in
            batch.forEach { view in
                bytes.add("\(isFirst ? "" : ",")[\"\(max(0, view.timestamp.nanoseconds))\",")
                isFirst = false
                bytes.append(json: view.message)
                bytes.add(",{\"level\":\"\(view.level.name)\"")
                if !view.logger.isEmpty { Self.append("logger", view.logger, to: &bytes) }
                if let trace = view.trace {
                    Self.append("trace_id", "\(trace.traceID)", to: &bytes)
                    Self.append("span_id", "\(trace.spanID)", to: &bytes)
                }
                var names: Set<String> = ["level", "logger", "trace_id", "span_id"]
                OTLPFields.forEach(of: view) { key, value in
                    let name = Self.name(key)
                    if names.insert(name).inserted { Self.append(name, value.description, to: &bytes) }
                }
                bytes.add("}]")
            }
        }
        bytes.add("]}]}")
        return bytes
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes.add(",\"\(name)\":")
        bytes.append(json: value)
    }

    /// Returns a name as Loki allows it: letters, digits and underscores, not starting with a digit.
    static func name(_ key: String) -> String {
        let name = key.utf8.map { $0.isLetterOrDigit ? $0 : UInt8(ascii: "_") }
        let text = String(decoding: name, as: UTF8.self)
        return text.utf8.first.map { (0x30...0x39).contains($0) } ?? true ? "_" + text : text
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> AnswerMeaning {
        switch status {
        case 204: AnswerMeaning(.accepted(refused: 0))
        // 260 means that the tenant is blocked and nothing was stored.
        case 200..<300: AnswerMeaning(.later)
        default: AnswerMeaning(failure: status)
        }
    }
}
#endif
