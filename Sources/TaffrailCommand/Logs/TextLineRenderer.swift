#if Command && Store
internal import Taffrail
internal import TaffrailQuery

/// Renders stored records as lines of text, as in a log file.
final class TextLineRenderer {
    private var text = LineBuffer()
    private var encoder = LineEncoder(.text, zone: .local)

    /// The line, without its newline.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: text.bytes.dropLast()) }

    /// Renders a record; its device precedes the other attributes.
    func set(_ record: StoredRecord) {
        var line = LogRecord(
            timestamp: record.time, level: record.level, message: record.message, eventName: record.eventName,
            attributes: record.attributes, logger: record.logger, source: record.source, trace: record.trace)
        if !record.device.isEmpty { line.attributes.insert(LogValueEntry("device", .string(record.device)), at: 0) }
        var records = RecordBuffer()
        records.append(line)
        text.removeAll(keeping: 1 << 20)
        records.withBatch { batch in batch.forEach { encoder.encode($0, into: &text) } }
    }
}
#endif
