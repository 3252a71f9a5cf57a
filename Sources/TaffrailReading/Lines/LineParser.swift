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
            var record = LogRecord(
                timestamp: Timestamp(nanoseconds: head.time ?? time), level: head.level ?? .info, message: "")
            let words = LogfmtWords.trailing(line, from: head.body)
            var end = words.first?.start ?? line.count
            if end > head.body, end < line.count || words.first != nil, line[end - 1] == 0x20 { end -= 1 }
            record.message = String(decoding: line[head.body..<max(head.body, end)], as: UTF8.self)
            Self.add(words, to: &record)
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

    /// Adds words as attributes, except those that have their own field.
    private static func add(_ words: [LogfmtWords.Word], to record: inout LogRecord) {
        var traceID: TraceContext.TraceID?
        var spanID: TraceContext.SpanID?
        var flags: TraceContext.Flags = []
        for word in words {
            switch word.key {
            case "event" where record.eventName == nil: record.eventName = word.value
            case "logger": record.logger = word.value
            case "trace_id" where TraceContext.TraceID(word.value) != nil: traceID = TraceContext.TraceID(word.value)
            case "span_id" where TraceContext.SpanID(word.value) != nil: spanID = TraceContext.SpanID(word.value)
            case "trace_flags" where TraceContext.Flags(word.value) != nil: flags = TraceContext.Flags(word.value) ?? []
            default:
                record.attributes.append(
                    LogValueEntry(word.key, word.isQuoted ? .string(word.value) : JSONLineRenderer.value(word.value)))
            }
        }
        if let traceID {
            record.trace = TraceContext(traceID: traceID, spanID: spanID ?? TraceContext.SpanID(0), flags: flags)
        }
    }

    /// The logger's name, without parsing the record if possible.
    func logger(_ line: UnsafeRawBufferPointer, _ head: LineHead) -> String {
        head.shape == .foreign ? "" : record(line, head, time: 0).logger
    }
}
