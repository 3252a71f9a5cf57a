/// Encodes records as lines defined by a pattern, see ``FileOptions/pattern``. Values are escaped as in text lines.
package struct PatternEncoder: LineEncoding {
    /// In alphabetical order, as an error lists them.
    private enum Field: String, CaseIterable {
        case attributes, event, file, function, host, level
        case levelLower = "level:lower"
        case levelPadded = "level:padded"
        case line, logger, message, offset
        case processID = "pid"
        case program, run
        case sequence = "seq"
        case spanID = "span_id"
        case thread, time
        case timeRFC3339 = "time:rfc3339"
        case timeUnix = "time:unix"
        case traceID = "trace_id"
    }

    private enum Piece {
        case text([UInt8])
        case field(Field)
        /// The value of the attribute with this name.
        case attribute([UInt8])
    }

    private let pieces: [Piece]
    private var plain: TimestampFormatter
    private var precise: TimestampFormatter
    private let precision: LineOptions.Precision

    /// Parses a pattern.
    ///
    /// - Throws: ``OptionError`` for the option `pattern` that describes the problem.
    init(
        _ text: String, zone: ZoneOffset = .local, precision: LineOptions.Precision = .milliseconds
    ) throws(OptionError) {
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        var hasField = false
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "%") else {
                literal.append(byte)
                continue
            }
            switch index < bytes.count ? bytes[index] : 0 {
            case UInt8(ascii: "%"):
                literal.append(byte)
                index += 1
            case UInt8(ascii: "{"):
                guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
                    throw OptionError("pattern", "%{ without a closing }")
                }
                if !literal.isEmpty { pieces.append(.text(literal)) }
                literal = []
                pieces.append(try Self.piece(bytes[(index + 1)..<end]))
                hasField = true
                index = end + 1
            default: throw OptionError("pattern", "% must be followed by { or %")
            }
        }
        if !literal.isEmpty { pieces.append(.text(literal)) }
        var line = LineBuffer()
        bytes.withUnsafeBytes { line.append(line: $0) }
        // An escape is longer than its character.
        guard line.count == bytes.count else {
            throw OptionError("pattern", "must not have line breaks or other control characters")
        }
        guard hasField else { throw OptionError("pattern", "needs a field, such as %{message}") }
        self.pieces = pieces
        plain = TimestampFormatter(zone, .plain, precision)
        precise = TimestampFormatter(zone, .rfc3339, precision)
        self.precision = precision
    }

    private static func piece(_ bytes: ArraySlice<UInt8>) throws(OptionError) -> Piece {
        let name = String(decoding: bytes, as: UTF8.self)
        if let field = Field(rawValue: name) { return .field(field) }
        let key = bytes.dropFirst("attribute:".utf8.count)
        if name.hasPrefix("attribute:") && !key.isEmpty { return .attribute(Array(key)) }
        let known = (["attribute:NAME"] + Field.allCases.map(\.rawValue)).joined(separator: ", ")
        throw OptionError("pattern", "unknown field \"\(name)\"; known fields: \(known)")
    }

    mutating func encode(_ record: borrowing RecordView, into buffer: inout LineBuffer) {
        for piece in pieces {
            switch piece {
            case .text(let bytes): bytes.withUnsafeBytes { buffer.append($0) }
            case .field(let field): append(field, of: record, to: &buffer)
            case .attribute(let name):
                var entries = record.entries
                while let entry = entries.nextOutOfLine() {
                    if entry.key.elementsEqual(name) { buffer.append(wordOf: entry) }
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    private mutating func append(_ field: Field, of record: borrowing RecordView, to buffer: inout LineBuffer) {
        let fields = record.fields
        switch field {
        case .time: Self.append(fields.timestamp, by: &plain, to: &buffer)
        case .timeRFC3339: Self.append(fields.timestamp, by: &precise, to: &buffer)
        case .offset: precise.append(offsetOf: fields.timestamp, to: &buffer)
        case .timeUnix:
            let seconds = CivilTime.floorDivide(fields.timestamp, by: 1_000_000_000)
            buffer.append(decimal: seconds)
            buffer.append(UInt8(ascii: "."))
            let (digits, divisor) = precision.fraction
            buffer.append(decimal: (fields.timestamp &- seconds &* 1_000_000_000) / divisor, width: digits)
        case .levelLower: buffer.append(string: fields.level.name)
        case .level: buffer.append(fields.level.label)
        case .levelPadded:
            let start = buffer.count
            buffer.append(fields.level.label)
            while buffer.count < start + 8 { buffer.append(UInt8(ascii: " ")) }
        case .message: buffer.append(line: fields.message)
        case .logger: buffer.append(line: fields.logger)
        case .event: buffer.append(line: fields.event)
        case .file: buffer.append(line: record.sourceNames.file)
        case .line: if record.sourceNames.fileLength > 0 { buffer.append(decimal: UInt64(fields.line)) }
        case .function: buffer.append(line: record.sourceNames.function)
        case .sequence: if fields.sequence > 0 { buffer.append(decimal: fields.sequence) }
        case .run: if record.run != .none { buffer.append(hexadecimal: record.run.value, width: 16) }
        case .traceID:
            guard let trace = fields.trace else { return }
            buffer.append(hexadecimal: trace.traceID.high, width: 16)
            buffer.append(hexadecimal: trace.traceID.low, width: 16)
        case .spanID: if let trace = fields.trace { buffer.append(hexadecimal: trace.spanID.value, width: 16) }
        case .attributes: buffer.append(attributesOf: record)
        case .processID: if let tables = record.tables { buffer.append(decimal: UInt64(tables.processID)) }
        case .thread: if fields.threadID > 0 { buffer.append(decimal: UInt64(fields.threadID)) }
        case .program: if let tables = record.tables { buffer.append(line: tables.program) }
        case .host: if let tables = record.tables { buffer.append(line: tables.host) }
        }
    }

    /// Appends a time; not inlined, because it is large and two fields call it.
    @inline(never)
    private static func append(
        _ timestamp: Int64, by formatter: inout TimestampFormatter, to buffer: inout LineBuffer
    ) {
        formatter.append(timestamp, to: &buffer)
    }
}
