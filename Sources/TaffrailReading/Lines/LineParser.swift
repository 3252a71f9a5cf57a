internal import Taffrail

/// Parses lines into records, as far as possible.
struct LineParser {
    private let json = JSONLineParser()

    /// Parses a line.
    ///
    /// - Parameters:
    ///   - line: The line without its newline.
    ///   - head: Its parsed head.
    ///   - time: The time of the previous line, for a line without one.
    func record(_ line: UnsafeRawBufferPointer, _ head: LineHead, time: Int64) -> LogRecord {
        switch head.shape {
        case .json:
            guard var found = json.record(line) else { break }
            if !found.hasTime { found.record.timestamp = Timestamp(nanoseconds: head.time ?? time) }
            return found.record
        case .text:
            let body = TextLineBody(UnsafeRawBufferPointer(rebasing: line[head.body...]))
            var record = LogRecord(
                timestamp: Timestamp(nanoseconds: head.time ?? time), level: head.level ?? .info, message: body.message)
            Self.add(body.words, to: &record)
            return record
        case .logfmt:
            guard let words = LogfmtWords(line).words else { break }
            var record = LogRecord(
                timestamp: Timestamp(nanoseconds: head.time ?? time), level: head.level ?? .info, message: "")
            var rest: [LogfmtWords.Word] = []
            for word in words {
                switch word.key {
                case "time", "ts", "t": if head.time == nil { rest.append(word) }
                case "level", "lvl": if head.level == nil { rest.append(word) }
                case "msg", "message": record.message = word.value
                default: rest.append(word)
                }
            }
            Self.add(rest, to: &record)
            return record
        case .foreign: break
        }
        return LogRecord(
            timestamp: Timestamp(nanoseconds: head.time ?? time), level: head.level ?? .info,
            message: String(decoding: line, as: UTF8.self))
    }

    /// Adds words as attributes, except those that have their own field. Fields follow the attributes, so if several
    /// words have the key of a field, only the last one sets it.
    private static func add(_ words: [LogfmtWords.Word], to record: inout LogRecord) {
        var attributes: [LogValueEntry] = []
        let hasTrace = words.contains { $0.key == "trace_id" && TraceContext.TraceID($0.value) != nil }
        var traceID: TraceContext.TraceID?
        var spanID: TraceContext.SpanID?
        var flags: TraceContext.Flags?
        for word in words.reversed() {
            switch word.key {
            case "event" where record.eventName == nil: record.eventName = word.value
            case "logger" where record.logger.isEmpty: record.logger = word.value
            case "trace_id" where traceID == nil && TraceContext.TraceID(word.value) != nil:
                traceID = TraceContext.TraceID(word.value)
            case "span_id" where hasTrace && spanID == nil && TraceContext.SpanID(word.value) != nil:
                spanID = TraceContext.SpanID(word.value)
            case "trace_flags" where hasTrace && flags == nil && TraceContext.Flags(word.value) != nil:
                flags = TraceContext.Flags(word.value)
            default: attributes.append(LogValueEntry(word.key, value(of: word)))
            }
        }
        record.attributes = attributes.reversed()
        if let traceID {
            record.trace = TraceContext(traceID: traceID, spanID: spanID ?? TraceContext.SpanID(0), flags: flags ?? [])
        }
    }

    /// Returns the value of a word: a string if it is quoted, else a list or map, a number or Boolean if it is printed
    /// as one.
    private static func value(of word: LogfmtWords.Word) -> LogValue {
        if word.isQuoted { return .string(word.value) }
        if word.value.hasPrefix("[") || word.value.hasPrefix("{"), let value = JSONLineParser.value(of: word.value) {
            return value
        }
        return LogValue(text: word.value)
    }

    /// Returns the logger's name, without parsing the record if possible.
    func logger(_ line: UnsafeRawBufferPointer, _ head: LineHead) -> String {
        head.shape == .foreign ? "" : record(line, head, time: 0).logger
    }
}
