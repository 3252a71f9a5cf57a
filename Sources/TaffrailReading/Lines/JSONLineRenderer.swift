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
}
