internal import Taffrail
internal import TaffrailReading

/// JSON objects, one on each line: as in a log file of Taffrail, or with the usual names of other loggers.
enum LinesBody {
    /// The most bytes of a line: decoded, one with many short values takes a multiple of that.
    static let longestLine = 1 << 20

    /// Reads a body. Bytes that are not UTF-8 become U+FFFD.
    static func read(_ body: [UInt8], _ arrival: Arrival) throws(Problem) -> ReceivedRecords {
        var result = ReceivedRecords()
        var (number, values) = (0, 0)
        let parser = InputLine()
        var rest = body[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            number += 1
            if line.allSatisfy({ $0 <= 32 }) { continue }
            guard line.count <= longestLine else {
                throw Problem(413, "line \(number) has more than \(longestLine) bytes")
            }
            guard let found = line.withUnsafeBytes({ parser.object($0) }) else {
                throw .bad("line \(number) is not a JSON object")
            }
            var record = found.record
            values += 1 + record.attributes.reduce(0) { $0 + $1.value.size }
            guard values <= ReceivedRecords.limit else { throw ReceivedRecords.tooMany }
            Origin.mark(&record, time: found.hasTime ? record.timestamp : nil, arrival)
            result.records.append(record)
        }
        return result
    }
}

extension LogValue {
    /// The number of values in it, itself included.
    var size: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.size }
        case .map(let entries): entries.reduce(1) { $0 + $1.value.size }
        default: 1
        }
    }
}
