/// Encodes records as lines for human readers: `[2026-01-05 14:30:00.123] [INFO] message key=value`.
///
/// - The time is local or UTC, in milliseconds unless a finer precision is set.
/// - The message is escaped by ``LineEscape``. If its last word reads as an attribute, the equals sign has a backslash
///   in front: ``AttributeWord``.
/// - The attributes follow in order. A value is quoted if it is empty, contains a space, a quote, a backslash or an
///   equals sign, or needs escapes; quotes and backslashes are then escaped. Bytes are base64, dates RFC 3339 in UTC,
///   lists and maps as in JSON.
/// - `event=`, `trace_id=`, `span_id=` and `logger=` come last, if present. A record of `Logger.shared` without
///   attributes has none of these.
package struct TextEncoder: LineEncoding {
    private var time: TimestampFormatter
    /// Whether times are finer than milliseconds.
    private let isFine: Bool

    init(zone: ZoneOffset = .local, precision: LineOptions.Precision = .milliseconds) {
        isFine = precision != .milliseconds
        time = TimestampFormatter(zone, isFine ? .plain : .bracketed, precision)
    }

    @inline(__always)
    mutating func encode(_ record: borrowing RecordView, into buffer: inout LineBuffer) {
        let fields = record.fields
        let message = fields.message
        if isFine { appendFineTime(fields.timestamp, to: &buffer) }
        buffer.reserve(TimestampFormatter.bracketedLength + Self.levelRoom + message.count + 1)
        let start = buffer.end
        var end = start
        if !isFine {
            time.writeBracketed(fields.timestamp, to: end)
            end += TimestampFormatter.bracketedLength
        }
        end += Self.write(fields.level, to: end)
        let copied = EscapedText.copy(message, by: LineEscape.self, to: end)
        end += copied
        if copied < message.count || fields.hasTail || AttributeWord.mayPrecede(fields.end(ofMessage: copied)) {
            buffer.advance(end - start)
            return Self.finish(fields, record.tables, copied, to: &buffer)
        }
        end.storeBytes(of: UInt8(ascii: "\n"), as: UInt8.self)
        buffer.advance(end - start &+ 1)
    }

    @inline(never)
    private mutating func appendFineTime(_ timestamp: Int64, to buffer: inout LineBuffer) {
        buffer.append(UInt8(ascii: "["))
        time.append(timestamp, to: &buffer)
    }

    /// Appends the message after its first `copied` bytes, and the rest of the line. Takes the parts of a record that it
    /// needs: a caller would store a whole one in memory, for every record.
    @inline(never)
    private static func finish(
        _ fields: RecordFields, _ tables: RingTables?, _ copied: Int, to buffer: inout LineBuffer
    ) {
        let record = RecordView(fields.base, run: .none, end: 0, tables: tables)
        let message = fields.message
        let start = buffer.count - copied
        if copied < message.count {
            buffer.appendRest(of: message, from: copied, by: LineEscape.self)
        }
        if AttributeWord.mayPrecede(buffer.end) { AttributeWord.escape(messageAt: start, in: &buffer) }
        guard fields.hasTail else { return buffer.append(UInt8(ascii: "\n")) }
        let end = buffer.count
        // The first key includes a space.
        if message.isEmpty { buffer.advance(-1) }
        buffer.append(attributesOf: record)
        buffer.append(tailOf: record, by: QuoteEscape.self, hasFlags: false)
        if buffer.count < end { buffer.advance(1) }
        buffer.append(UInt8(ascii: "\n"))
    }

    /// The most bytes that ``write(_:to:)`` stores.
    private static let levelRoom = 16

    /// Writes `] [INFO] ` and returns its length.
    @inline(__always)
    private static func write(_ level: Level, to: UnsafeMutableRawPointer) -> Int {
        // Stored as whole words; the next write replaces the spaces at the end.
        let (text, length): (StaticString, Int) =
            switch level {
            case .trace: ("] [TRACE]       ", 10)
            case .debug: ("] [DEBUG]       ", 10)
            case .info: ("] [INFO]        ", 9)
            case .notice: ("] [NOTICE]      ", 11)
            case .warning: ("] [WARNING]     ", 12)
            case .error: ("] [ERROR]       ", 10)
            case .critical: ("] [CRITICAL]    ", 13)
            }
        to.copyMemory(from: text.utf8Start, byteCount: levelRoom)
        return length
    }
}
