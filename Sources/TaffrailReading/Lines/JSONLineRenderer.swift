package import Taffrail

/// Renders a record as a JSON line, for sources that have records instead of lines.
package final class JSONLineRenderer {
    private var text = LineBuffer()
    private var encoder = JSONLineEncoder()

    package init() {}

    /// The line, without its newline. Valid until the next record.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: text.bytes.dropLast()) }

    /// Renders a record.
    package func set(_ record: LogRecord) {
        var records = RecordBuffer(run: record.run)
        records.append(record)
        text.removeAll(keeping: 1 << 20)
        records.withBatch { batch in batch.forEach { encoder.encode($0, into: &text) } }
    }

    /// Parses a value that was written as text: a number or Boolean if it is printed as one, else a string.
    package static func value(_ text: String) -> LogValue {
        if let whole = Int64(text), "\(whole)" == text { return .int(whole) }
        if let number = Double(text), number.isFinite, "\(number)" == text { return .double(number) }
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: return .string(text)
        }
    }
}
