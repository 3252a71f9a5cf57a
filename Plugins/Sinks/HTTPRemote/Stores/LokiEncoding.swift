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
        bytes.append(object: { push in
            push.add(list: "streams") { streams in
                streams.append(element: { Self.add(batch, from: resource, to: &$0) })
            }
        })
        return bytes
    }

    private static func add(
        _ batch: SpoolBatch, from resource: ResourceAttributes, to stream: inout JSONObject
    ) {
        stream.add("stream") { labels in
            // A label for each run would create a stream for each run.
            var names: Set<String> = []
            for label in resource.all(of: batch.run) where label.name != "service.instance.id" {
                labels.add(name(label.name, notIn: &names), label.value)
            }
        }
        stream.add(list: "values") { values in
            var isFirst = true
            _ = batch.withRecords { batch in
                batch.forEach { view in
                    values.append(isFirst ? "[" : ",[")
                    isFirst = false
                    values.append(json: "\(max(0, view.timestamp.nanoseconds))")
                    values.append(",")
                    values.append(json: view.message)
                    values.append(",")
                    values.append(object: { add(view, to: &$0) })
                    values.append("]")
                }
            }
        }
    }

    private static func add(_ view: borrowing RecordView, to metadata: inout JSONObject) {
        var names: Set = ["level", "taffrail_run", "taffrail_seq"]
        func add(_ name: String, known value: String) {
            names.insert(name)
            metadata.add(name, value)
        }
        metadata.add("level", view.level.name)
        if !view.logger.isEmpty { add("logger", known: view.logger) }
        if let trace = view.trace {
            add("trace_id", known: "\(trace.traceID)")
            add("span_id", known: "\(trace.spanID)")
        }
        RecordAttributes.forEach(of: view) { key, value in
            let isIdentity = key == "taffrail.run" || key == "taffrail.seq"
            metadata.add(isIdentity ? name(key) : name(key, notIn: &names), value.description)
        }
    }

    /// Returns a name as Loki allows it, with a number at the end if another attribute has the same name.
    private static func name(_ key: String, notIn names: inout Set<String>) -> String {
        let first = name(key)
        var (name, number) = (first, 1)
        while !names.insert(name).inserted {
            number += 1
            name = "\(first)_\(number)"
        }
        return name
    }

    /// Returns a name as Loki allows it: letters, digits and underscores, not starting with a digit.
    static func name(_ key: String) -> String {
        let name = key.utf8.map { $0.isLetterOrDigit ? $0 : UInt8(ascii: "_") }
        let text = String(decoding: name, as: UTF8.self)
        return text.utf8.first.map { (0x30...0x39).contains($0) } ?? true ? "_" + text : text
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> ResponseMeaning {
        switch status {
        case 204: ResponseMeaning(.accepted(refused: 0))
        // 260 means that the tenant is blocked and nothing was stored.
        case 200..<300: ResponseMeaning(.later)
        default: ResponseMeaning(failure: status)
        }
    }
}
#endif
