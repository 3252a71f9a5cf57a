package import Taffrail

/// The fields of one journal entry, built in a reusable buffer: journald's native protocol, and its export format.
///
/// A field is `NAME=value\n`; for a value with a newline it is `NAME\n`, its length as 64 bits little-endian, the value
/// and `\n`. See systemd.journal-fields(7), JOURNAL_NATIVE_PROTOCOL and JOURNAL_EXPORT_FORMATS.
package struct JournalEntry {
    /// The maximum number of attributes that become fields: journald ignores entries with more than 1024 fields.
    package static let mostAttributes = 1000

    package private(set) var bytes: [UInt8] = []
    private let identifier: String
    private var names = JournalFieldName()
    private var used: Set<String> = []

    package init(identifier: String) { self.identifier = identifier }

    /// Removes all fields.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Replaces the entry with the entry of a record.
    package mutating func set(_ record: borrowing RecordView) {
        removeAll()
        append(record)
    }

    /// Appends the fields of a record.
    ///
    /// - Parameter limit: The maximum number of attributes that become fields.
    package mutating func append(_ record: borrowing RecordView, attributes limit: Int = JournalEntry.mostAttributes) {
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
        appendAttributes(of: record, limit)
    }

    /// Appends a field with the name of an attribute that does not belong to a record.
    package mutating func append(attribute name: String, _ text: String) { append(names.name(for: name), text) }

    /// Ends an entry of the export format.
    package mutating func end() { bytes.append(UInt8(ascii: "\n")) }

    private mutating func appendAttributes(of record: borrowing RecordView, _ limit: Int) {
        used.removeAll(keepingCapacity: true)
        for entry in record.attributes.prefix(limit) {
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

    /// Appends a field whose name is already valid in a journal.
    package mutating func append(_ name: String, _ text: String) {
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
