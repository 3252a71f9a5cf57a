/// Encodes records as lines of `key=value`: `time=2026-01-05T15:30:00.123+01:00 level=info msg="left pier" user=7`.
///
/// The time is RFC 3339, local with its offset or UTC. `msg` is followed by the attributes and, if present, `event`,
/// `trace_id`, `span_id`, `trace_flags` and `logger`. Values are quoted unless they are a single word; escapes in
/// quotes are those of JSON. Lists and maps are JSON, quoted. Invalid characters of a key become `_`.
package struct LogfmtEncoder: LineEncoding {
    private var time: TimestampFormatter

    init(zone: ZoneOffset = .local, precision: LineOptions.Precision = .milliseconds) {
        time = TimestampFormatter(zone, .rfc3339, precision)
    }

    @inline(__always)
    mutating func encode(_ record: borrowing RecordView, into buffer: inout LineBuffer) {
        let fields = record.fields
        buffer.append("time=")
        time.append(fields.timestamp, to: &buffer)
        let label: StaticString =
            switch fields.level {
            case .trace: " level=trace msg="
            case .debug: " level=debug msg="
            case .info: " level=info msg="
            case .notice: " level=notice msg="
            case .warning: " level=warning msg="
            case .error: " level=error msg="
            case .critical: " level=critical msg="
            }
        buffer.append(label)
        buffer.append(word: fields.message, by: JSONEscape.self)
        Self.appendRest(record, to: &buffer)
        buffer.append(UInt8(ascii: "\n"))
    }

    @inline(never)
    private static func appendRest(_ record: borrowing RecordView, to buffer: inout LineBuffer) {
        var entries = record.entries
        while let entry = entries.next() {
            buffer.append(UInt8(ascii: " "))
            append(key: entry.key, to: &buffer)
            buffer.append(UInt8(ascii: "="))
            switch entry.kind {
            case .string: buffer.append(word: entry.value, by: JSONEscape.self)
            case .array, .map:
                var json = LineBuffer()
                json.append(entry, by: JSONEscape.self)
                buffer.append(rarelyQuoted: json.bytes, by: JSONEscape.self)
            default: buffer.append(entry, by: JSONEscape.self, isQuoted: false)
            }
        }
        buffer.append(tailOf: record, by: JSONEscape.self)
    }

    /// Appends a key with `_` for spaces, `=`, quotes, backslashes and non-printable characters.
    private static func append(key: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        if key.isEmpty { buffer.append(UInt8(ascii: "_")) }
        var index = 0
        while index < key.count {
            let (scalar, length) = EscapedText.scalar(at: index, in: key)
            switch scalar {
            case nil, 0x20, 0x22, 0x3D, 0x5C: buffer.append(UInt8(ascii: "_"))
            case .some(let scalar) where EscapedText.mustBeEscaped(scalar): buffer.append(UInt8(ascii: "_"))
            default: buffer.append(UnsafeRawBufferPointer(rebasing: key[index..<index + length]))
            }
            index += length
        }
    }
}
