/// Lines for programs, one JSON object each.
///
/// Keys, in this order: `time` (RFC 3339 in UTC), `level` (`info`), `message`, `logger`, `event`, `attributes` (an
/// object), `trace_id`, `span_id`, `file`, `line`, `function`, `seq` (the number within the run), `run`. All but the
/// first three are left out where the record has nothing for them.
struct JSONLineEncoder: RecordEncoder {
    private var time: MomentText
    private let labels: [7 of Label]
    private var ending = Ending(.none)
    private let sources = JSONSourceCache()

    /// Makes an encoder.
    ///
    /// - Parameter precision: The digits of a second's fraction.
    init(precision: TimestampText.Precision = .nanoseconds) {
        time = MomentText(.utc, .rfc3339, precision)
        labels = InlineArray { Label(Level(rawValue: UInt8($0)) ?? .info) }
    }

    @inline(__always)
    mutating func encode(_ record: borrowing RecordView, into buffer: inout LineBuffer) {
        let fields = record.fields
        buffer.append("{\"time\":\"")
        time.append(fields.timestamp, to: &buffer)
        buffer.reserve(Label.room)
        buffer.advance(labels[Int(min(fields.rawLevel, 6))].write(to: buffer.end))
        EscapedText.append(fields.message, by: JSONEscape.self, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
        appendRest(record, to: &buffer)
        if record.run != ending.run { ending = Ending(record.run) }
        buffer.reserve(Ending.room)
        buffer.advance(ending.write(to: buffer.end))
    }

    /// `,"run":"00000000000000ab"}` and the newline, or only the latter, in words that are stored at once.
    private struct Ending {
        static let room = 32
        let run: RingID
        private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        private var length = 0

        init(_ run: RingID) {
            self.run = run
            let text = (run == .none ? "}\n" : ",\"run\":\"\(run)\"}\n").utf8
            length = text.count
            withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: text) }
        }

        @inline(__always)
        func write(to: UnsafeMutableRawPointer) -> Int {
            to.storeBytes(of: words, as: (UInt64, UInt64, UInt64, UInt64).self)
            return length
        }
    }

    /// `","level":"info","message":"`, in words that are stored at once.
    private struct Label: BitwiseCopyable {
        static let room = 40
        private var words: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
        private var length = 0

        init(_ level: Level) {
            let text = "\",\"level\":\"\(level.name)\",\"message\":\"".utf8
            length = text.count
            withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: text) }
        }

        @inline(__always)
        func write(to: UnsafeMutableRawPointer) -> Int {
            to.storeBytes(of: words, as: (UInt64, UInt64, UInt64, UInt64, UInt64).self)
            return length
        }
    }

    @inline(never)
    private func appendRest(_ record: borrowing RecordView, to buffer: inout LineBuffer) {
        let fields = record.fields
        if fields.loggerLength > 0 {
            buffer.append(",\"logger\":")
            JSONText.append(string: fields.logger, to: &buffer)
        }
        if fields.eventLength > 0 {
            buffer.append(",\"event\":")
            JSONText.append(string: fields.event, to: &buffer)
        }
        if fields.attributesLength | fields.contextLength != 0 || record.isTruncated {
            buffer.append(",\"attributes\":{")
            var isFirst = true
            record.forEachEntry { entry in
                if !isFirst { buffer.append(UInt8(ascii: ",")) }
                isFirst = false
                JSONText.append(string: entry.key, to: &buffer)
                buffer.append(UInt8(ascii: ":"))
                JSONText.append(entry, to: &buffer)
            }
            buffer.append(UInt8(ascii: "}"))
        }
        if let trace = fields.trace {
            buffer.append(",\"trace_id\":\"")
            buffer.append(hexadecimal: trace.traceID.high, width: 16)
            buffer.append(hexadecimal: trace.traceID.low, width: 16)
            buffer.append("\",\"span_id\":\"")
            buffer.append(hexadecimal: trace.spanID.value, width: 16)
            buffer.append(UInt8(ascii: "\""))
        }
        if fields.fileLength > 0 {
            sources.append(fields, to: &buffer)
        }
        if fields.sequence > 0 {
            buffer.append(",\"seq\":")
            buffer.append(decimal: fields.sequence)
        }
    }
}
