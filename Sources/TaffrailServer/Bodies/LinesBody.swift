internal import Taffrail
internal import TaffrailGeo
internal import TaffrailReading

/// JSON objects, one per line: as in a log file of Taffrail, or with the usual names of other loggers.
enum LinesBody {
    /// The maximum length of a line, in bytes: decoding many short values takes a multiple of that.
    static let longestLine = 1 << 20
    private static let newline = UInt8(ascii: "\n")

    /// Reads a body. Bytes that are not UTF-8 become U+FFFD.
    static func read(_ body: [UInt8], _ arrival: Arrival) throws(Problem) -> ReceivedRecords {
        var result = ReceivedRecords()
        var number = 0
        var values = try ValueCount(arrival.memory, of: body)
        let parser = InputLine()
        var start = 0
        while start < body.count {
            var (end, isBlank) = (start, true)
            while end < body.count, body[end] != newline {
                isBlank = isBlank && body[end] <= 32
                end += 1
            }
            let line = body[start..<end]
            start = end + 1
            number += 1
            if isBlank { continue }
            guard line.count <= longestLine else {
                throw Problem(413, "line \(number) has more than \(longestLine) bytes")
            }
            guard let found = line.withUnsafeBytes({ parser.object($0) }) else {
                throw .bad("line \(number) is not a JSON object")
            }
            var record = found.record
            try values.addRecord()
            for entry in record.attributes {
                guard entry.value.depth <= AttributeNesting.limit else {
                    throw .bad("line \(number) is nested deeper than \(AttributeNesting.limit) levels")
                }
                try values.add(entry.value.size)
            }
            if record.attributes.count > ReceivedRecords.attributeLimit {
                let lost = record.attributes.count - ReceivedRecords.attributeLimit
                record.attributes.removeLast(lost)
                record.attributes.append(LogValueEntry(OriginAttributes.dropped, .int(Int64(lost))))
                result.truncated += 1
            }
            OriginAttributes.mark(&record, time: found.hasTime ? record.timestamp : nil, arrival)
            result.records.append(record)
        }
        return result
    }
}
