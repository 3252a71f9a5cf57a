internal import Taffrail
internal import TaffrailText

/// An OTLP scope: a logger with its records, in either encoding.
struct OTLPScope {
    var name = ""
    var attributes: [LogValueEntry] = []
    var records: [OTLPRecord] = []

    /// Appends its records to those to log, each with the attributes of the scope and its resource.
    func append(
        to result: inout ReceivedRecords, resource: [LogValueEntry], _ arrival: Arrival, _ values: inout ValueCount
    ) throws(Problem) {
        var names: Set<ExactText> = []
        let shared = (attributes + resource).filter { names.insert(ExactText($0.key)).inserted }
        try values.addCopies(min(shared.count, ReceivedRecords.attributeLimit), records: records.count)
        for record in records {
            let (record, isTruncated) = record.record(logger: name, shared, arrival)
            result.records.append(record)
            if isTruncated { result.truncated += 1 }
        }
    }
}
