/// Encodes records as lines defined by a ``LinePattern``. Values are escaped as in text lines.
package struct PatternEncoder: LineEncoding {
    private let pieces: [LinePattern.Piece]
    private var plain: TimestampFormatter
    private var precise: TimestampFormatter
    private let precision: LineOptions.Precision

    /// Creates an encoder.
    init(
        _ pattern: LinePattern, zone: ZoneOffset = .local, precision: LineOptions.Precision = .milliseconds
    ) {
        pieces = pattern.pieces
        plain = TimestampFormatter(zone, .plain, precision)
        precise = TimestampFormatter(zone, .rfc3339, precision)
        self.precision = precision
    }

    mutating func encode(_ record: borrowing RecordView, into buffer: inout LineBuffer) {
        for piece in pieces { append(piece, record, to: &buffer) }
        buffer.append(UInt8(ascii: "\n"))
    }

    private mutating func append(
        _ piece: LinePattern.Piece, _ record: borrowing RecordView, to buffer: inout LineBuffer
    ) {
        let fields = record.fields
        switch piece {
        case .text(let bytes): bytes.withUnsafeBytes { buffer.append($0) }
        case .time: plain.append(fields.timestamp, to: &buffer)
        case .timeRFC3339: precise.append(fields.timestamp, to: &buffer)
        case .offset: precise.append(offsetOf: fields.timestamp, to: &buffer)
        case .timeUnix: appendUnix(fields.timestamp, to: &buffer)
        case .level: buffer.append(fields.level.label)
        case .levelLower: buffer.append(string: fields.level.name)
        case .levelPadded:
            let start = buffer.count
            buffer.append(fields.level.label)
            while buffer.count < start + 8 { buffer.append(UInt8(ascii: " ")) }
        case .message: text(fields.message, to: &buffer)
        case .logger: text(fields.logger, to: &buffer)
        case .event: text(fields.event, to: &buffer)
        case .file: text(record.sourceNames.file, to: &buffer)
        case .line: if record.sourceNames.fileLength > 0 { buffer.append(decimal: UInt64(fields.line)) }
        case .function: text(record.sourceNames.function, to: &buffer)
        case .sequence: if fields.sequence > 0 { buffer.append(decimal: fields.sequence) }
        case .run: if record.run != .none { buffer.append(hexadecimal: record.run.value, width: 16) }
        case .traceID:
            guard let trace = fields.trace else { return }
            buffer.append(hexadecimal: trace.traceID.high, width: 16)
            buffer.append(hexadecimal: trace.traceID.low, width: 16)
        case .spanID: if let trace = fields.trace { buffer.append(hexadecimal: trace.spanID.value, width: 16) }
        case .attributes: LineTail.append(attributesOf: record, to: &buffer)
        case .attribute(let name):
            var entries = record.entries
            while let entry = entries.next() {
                if entry.key.elementsEqual(name) { LineTail.append(wordOf: entry, to: &buffer) }
            }
        case .processID: if let origin = record.origin { buffer.append(decimal: UInt64(origin.processID)) }
        case .thread: if fields.threadID > 0 { buffer.append(decimal: UInt64(fields.threadID)) }
        case .program: if let origin = record.origin { text(origin.program, to: &buffer) }
        case .host: if let origin = record.origin { text(origin.host, to: &buffer) }
        }
    }

    private func text(_ bytes: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        EscapedText.append(bytes, by: LineEscape.self, to: &buffer)
    }

    private func appendUnix(_ nanoseconds: Int64, to buffer: inout LineBuffer) {
        let seconds = CivilTime.floorDivide(nanoseconds, by: 1_000_000_000)
        buffer.append(decimal: seconds)
        buffer.append(UInt8(ascii: "."))
        let (digits, divisor) = precision.fraction
        buffer.append(decimal: (nanoseconds &- seconds &* 1_000_000_000) / divisor, width: digits)
    }
}
