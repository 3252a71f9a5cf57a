#if Journald
internal import Taffrail

/// One entry in journald's native protocol, built in a reusable buffer.
///
/// A field is `NAME=value\n`; for a value with a newline it is `NAME\n`, its length as 64 bits little-endian, the value
/// and `\n`. See systemd.journal-fields(7) and JOURNAL_NATIVE_PROTOCOL.
struct JournalEntry {
    private(set) var bytes: [UInt8] = []
    private let identifier: String
    private var names = JournalFieldName()
    private var used: Set<String> = []

    init(identifier: String) { self.identifier = identifier }

    /// Replaces the entry by that of a record.
    mutating func set(_ record: borrowing RecordView) {
        bytes.removeAll(keepingCapacity: true)
        record.withMessage { append("MESSAGE", $0) }
        append("PRIORITY", "\(record.level.syslogPriority)")
        append("SYSLOG_IDENTIFIER", identifier)
        append("LEVEL", record.level.name)
        append("TAFFRAIL_RUN", record.run.description)
        append("TAFFRAIL_SEQ", "\(record.sequence)")
        append("TAFFRAIL_TIME", "\(record.timestamp.nanoseconds)")
        let logger = record.logger
        if !logger.isEmpty { append("LOGGER", logger) }
        if let source = record.source {
            append("CODE_FILE", source.file)
            append("CODE_LINE", "\(source.line)")
            append("CODE_FUNC", source.function)
        }
        if let event = record.eventName {
            append("MESSAGE_ID", JournalFieldName.messageID(for: event))
            append("EVENT", event)
        }
        if let trace = record.trace {
            append("TRACE_ID", trace.traceID.description)
            append("SPAN_ID", trace.spanID.description)
        }
        appendAttributes(of: record)
    }

    private mutating func appendAttributes(of record: borrowing RecordView) {
        used.removeAll(keepingCapacity: true)
        // journald ignores entries with more than 1024 fields.
        for entry in record.attributes.prefix(1000) {
            var name = names.name(for: entry.key)
            if !used.insert(name).inserted {
                name = JournalFieldName.marked(name, for: entry.key)
                used.insert(name)
            }
            switch entry.value {
            case .string(let text): append(name, text)
            case .bytes(let bytes): append(name, bytes.span)
            case let value: append(name, value.description)
            }
        }
    }

    private mutating func append(_ name: String, _ text: String) {
        var text = text
        text.withUTF8 { append(name, $0.span) }
    }

    private mutating func append(_ name: String, _ value: Span<UInt8>) {
        bytes += name.utf8
        value.withUnsafeBufferPointer { value in
            if value.contains(UInt8(ascii: "\n")) {
                bytes.append(UInt8(ascii: "\n"))
                withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += value
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}
#endif
