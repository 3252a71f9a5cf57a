/// Lines for people: `[2026-01-05 14:30:00.123] [INFO] message key=value`.
///
/// - The time is local or UTC, in milliseconds unless it is to be finer.
/// - The message follows as it is, but for what ``LineEscape`` escapes.
/// - Attributes follow the message in their order. A value is put in quotes when it is empty, has a space, a quote,
///   a backslash or an equals sign, or needs escapes; then quotes and backslashes are escaped. Bytes are base64,
///   dates RFC 3339 in UTC, lists and maps as in JSON.
/// - Last come, where the record has them, `event=`, `trace_id=`, `span_id=` and `logger=`. A record of
///   `Logger.shared` without attributes is the bare line.
package struct TextEncoder: LineEncoding {
    private var time: TimestampFormatter
    /// The time where it is finer than milliseconds.
    private var fineTime: StyledTimestampFormatter?

    /// Makes an encoder.
    ///
    /// - Parameters:
    ///   - zone: Whose time the lines show.
    ///   - precision: The digits of a second's fraction.
    init(zone: ZoneOffset = .local, precision: LineOptions.Precision = .milliseconds) {
        time = TimestampFormatter(zone)
        fineTime = precision == .milliseconds ? nil : StyledTimestampFormatter(zone, .plain, precision)
    }

    @inline(__always)
    mutating func encode(_ record: borrowing RecordView, into buffer: inout LineBuffer) {
        let fields = record.fields
        let message = fields.message
        if fineTime != nil { appendFineTime(fields.timestamp, to: &buffer) }
        buffer.reserve(TimestampFormatter.bracketedLength + LevelText.room + message.count + 1)
        let start = buffer.end
        var end = start
        if fineTime == nil {
            time.writeBracketed(fields.timestamp, to: end)
            end += TimestampFormatter.bracketedLength
        }
        end += LevelText.write(fields.level, to: end)
        let copied = EscapedText.copy(message, by: LineEscape.self, to: end)
        end += copied
        let hasKeys =
            fields.attributesLength | fields.contextLength | fields.loggerLength | fields.eventLength != 0
            || fields.flags & ~(RecordLayout.flagSite | RecordLayout.flagThread) != 0
        if copied < message.count || hasKeys {
            buffer.advance(end - start)
            return Self.finish(record, copied, to: &buffer)
        }
        end.storeBytes(of: UInt8(ascii: "\n"), as: UInt8.self)
        buffer.advance(end - start &+ 1)
    }

    @inline(never)
    private mutating func appendFineTime(_ timestamp: Int64, to buffer: inout LineBuffer) {
        buffer.append(UInt8(ascii: "["))
        fineTime?.append(timestamp, to: &buffer)
    }

    /// Appends what follows the first `copied` bytes of the message.
    @inline(never)
    private static func finish(_ record: borrowing RecordView, _ copied: Int, to buffer: inout LineBuffer) {
        let message = record.fields.message
        if copied < message.count {
            EscapedText.appendRest(of: message, from: copied, by: LineEscape.self, to: &buffer)
        }
        let end = buffer.count
        // The first key brings a space along.
        if message.isEmpty { buffer.advance(-1) }
        LineTail.append(attributesOf: record, to: &buffer)
        LineTail.append(record, quotedBy: QuoteEscape.self, hasFlags: false, to: &buffer)
        if buffer.count < end { buffer.advance(1) }
        buffer.append(UInt8(ascii: "\n"))
    }
}

/// How levels stand in text lines.
private enum LevelText {
    /// How many bytes ``write(_:to:)`` may store.
    static let room = 16

    /// Writes `] [INFO] ` and returns its length.
    @inline(__always)
    static func write(_ level: Level, to: UnsafeMutableRawPointer) -> Int {
        // Stored whole; what comes next is written over the blanks at the end.
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
        to.copyMemory(from: text.utf8Start, byteCount: room)
        return length
    }
}
