import Taffrail

/// A custom line format: the fields of a record, separated by bars.
struct BarFormat: LineFormat {
    let name = "bar"

    mutating func write(_ record: borrowing RecordView, to line: inout LineText) {
        line.append(record.timestamp)
        line.append("|")
        line.append(record.level.name)
        line.append("|")
        record.withMessage { line.append($0) }
        for attribute in record.attributes {
            line.append("|\(attribute.key): ")
            line.append(attribute.value)
        }
    }
}
