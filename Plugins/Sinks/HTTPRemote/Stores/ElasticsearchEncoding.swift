#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailText

/// Elasticsearch's and OpenSearch's `_bulk`: documents in the Elastic Common Schema, whose id consists of run and
/// number, so that a record that is sent twice is stored once.
struct ElasticsearchEncoding: BatchEncoding {
    var contentType: String { "application/x-ndjson" }
    var answersEachRecord: Bool { true }

    func body(of batch: SpoolBatch, from resource: ResourceAttributes) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(batch.bytes.count * 3)
        let attributes = resource.all(of: batch.run)
        _ = batch.withRecords { batch in
            batch.forEach { view in
                // A copy of a position must not replace the record itself.
                let isCopy = view.hasAttributes && view.attributes.contains { $0.key == LiveCopy.mark }
                bytes.add("{\"create\":{\"_id\":\"\(view.run)-\(view.sequence)\(isCopy ? "-live" : "")\"}}\n")
                bytes.add("{\"@timestamp\":\"\(view.timestamp)\",\"message\":")
                bytes.append(json: view.message)
                bytes.add(",\"log.level\":\"\(view.level.name)\"")
                if !view.logger.isEmpty { bytes.add("log.logger", .string(view.logger)) }
                if let source = view.source {
                    bytes.add("log.origin.file.name", .string(source.file))
                    bytes.add("log.origin.file.line", .int(Int64(source.line)))
                    bytes.add("log.origin.function", .string(source.function))
                }
                if let event = view.eventName { bytes.add("event.action", .string(event)) }
                if let trace = view.trace {
                    bytes.add("trace.id", .string("\(trace.traceID)"))
                    bytes.add("span.id", .string("\(trace.spanID)"))
                }
                for attribute in attributes { bytes.add(attribute.name, .string(attribute.value)) }
                bytes.add("taffrail.run", .string("\(view.run)"))
                bytes.add("taffrail.seq", .int(Int64(clamping: view.sequence)))
                if view.hasAttributes { bytes.add("attributes", .map(view.attributes)) }
                bytes.add("}\n")
            }
        }
        return bytes
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> AnswerMeaning {
        switch status {
        case 200: Self.meaning(ofItems: body)
        case 201..<300: AnswerMeaning(.later)
        default: AnswerMeaning(failure: status)
        }
    }

    /// Returns the meaning of a response whose items each have a status. A record that already exists was stored
    /// before.
    private static func meaning(ofItems body: [UInt8]) -> AnswerMeaning {
        var reader = JSONReader(body)
        guard case .map(let answer)? = try? reader.value(),
            case .array(let items)? = answer.first(where: { $0.key == "items" })?.value
        else { return AnswerMeaning(.later, "the response has no items") }
        var refused: [Int] = []
        var message = ""
        for (index, item) in items.enumerated() {
            guard case .map(let actions) = item, case .map(let fields)? = actions.first?.value,
                case .int(let status)? = fields.first(where: { $0.key == "status" })?.value
            else { return AnswerMeaning(.later, "an item of the response has no status") }
            switch status {
            case 200..<300, 409: continue
            case 429, 500...: return AnswerMeaning(.later, "an item has the status \(status)")
            // The index is missing or not accessible, as for a whole request.
            case 401, 403, 404: return AnswerMeaning(.denied, "an item has the status \(status)")
            default:
                refused.append(index)
                if message.isEmpty, let error = fields.first(where: { $0.key == "error" }) {
                    message = String(decoding: error.value.json.prefix(200), as: UTF8.self)
                }
            }
        }
        var meaning = AnswerMeaning(.accepted(refused: UInt64(refused.count)), message)
        meaning.count = items.count
        meaning.refused = refused
        return meaning
    }
}
#endif
