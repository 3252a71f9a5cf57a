#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailText

/// Elasticsearch's and OpenSearch's `_bulk`: documents in the Elastic Common Schema, whose id consists of run and
/// number, so that a record that is sent twice is stored once.
struct ElasticsearchEncoding: BatchEncoding {
    var contentType: String { "application/x-ndjson" }
    var responseListsEachRecord: Bool { true }

    func body(of batch: SpoolBatch, from resource: ResourceAttributes) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(batch.bytes.count * 3)
        let attributes = resource.all(of: batch.run)
        _ = batch.withRecords { batch in
            batch.forEach { view in
                // A copy of a position must not replace the record itself.
                let isCopy = view.hasAttributes && view.attributes.contains { $0.key == RecordAttributes.liveMark }
                bytes.append(object: { action in
                    action.add("create") { $0.add("_id", "\(view.run)-\(view.sequence)\(isCopy ? "-live" : "")") }
                })
                bytes.append("\n")
                bytes.append(object: { document in
                    document.add("@timestamp", view.timestamp)
                    document.add("message", view.message)
                    document.add("log.level", view.level.name)
                    if !view.logger.isEmpty { document.add("log.logger", view.logger) }
                    if let source = view.source {
                        document.add("log.origin.file.name", source.file)
                        document.add("log.origin.file.line", whole: source.line)
                        document.add("log.origin.function", source.function)
                    }
                    document.add("event.action", known: view.eventName)
                    if let trace = view.trace {
                        document.add("trace.id", "\(trace.traceID)")
                        document.add("span.id", "\(trace.spanID)")
                    }
                    for attribute in attributes { document.add(attribute.name, attribute.value) }
                    document.add("taffrail.run", "\(view.run)")
                    document.add("taffrail.seq", whole: Int64(clamping: view.sequence))
                    if view.hasAttributes { document.add("attributes", value: .map(view.attributes)) }
                })
                bytes.append("\n")
            }
        }
        return bytes
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> ResponseMeaning {
        switch status {
        case 200: Self.meaning(ofItems: body)
        case 201..<300: ResponseMeaning(.later)
        default: ResponseMeaning(failure: status)
        }
    }

    /// Returns the meaning of a response whose items each have a status. A record that already exists was stored
    /// before.
    private static func meaning(ofItems body: [UInt8]) -> ResponseMeaning {
        var reader = JSONReader(body)
        guard case .map(let response)? = try? reader.value(),
            case .array(let items)? = response.first(where: { $0.key == "items" })?.value
        else { return ResponseMeaning(.later, "the response has no items") }
        var refused: [Int] = []
        var message = ""
        for (index, item) in items.enumerated() {
            guard case .map(let actions) = item, case .map(let fields)? = actions.first?.value,
                case .int(let status)? = fields.first(where: { $0.key == "status" })?.value
            else { return ResponseMeaning(.later, "an item of the response has no status") }
            switch status {
            case 200..<300, 409: continue
            case 429, 500...: return ResponseMeaning(.later, "an item has the status \(status)")
            // The index is missing or not accessible, as for a whole request.
            case 401, 403, 404: return ResponseMeaning(.denied, "an item has the status \(status)")
            default:
                refused.append(index)
                if message.isEmpty, let error = fields.first(where: { $0.key == "error" }) {
                    message = String(decoding: error.value.json.prefix(200), as: UTF8.self)
                }
            }
        }
        var meaning = ResponseMeaning(.accepted(refused: UInt64(refused.count)), message)
        meaning.count = items.count
        meaning.refused = refused
        return meaning
    }
}
#endif
