/// The layout of a line: `%{time} %{level} %{message}%{attributes}`.
///
/// Fields, with their variants after a colon:
///
/// | field | text |
/// |---|---|
/// | `time` | `2026-01-05 14:30:00.123`; `time:rfc3339`; `time:unix` (seconds with fraction) |
/// | `offset` | the offset of `time` from UTC, `+01:00` |
/// | `level` | `INFO`; `level:lower`; `level:padded` (to eight characters) |
/// | `message` `logger` `event` `file` `line` `function` `seq` `run` `trace_id` `span_id` | empty if the record has none |
/// | `attributes` | a space and `key=value` for each |
/// | `attribute:NAME` | the value of the attribute with that name |
/// | `pid` `thread` `program` `host` | of the call, also after recovery; empty if unknown, as for a record without a queue |
///
/// `%%` is a percent sign.
struct LinePattern: Sendable {
    /// A part of a line.
    enum Piece: Sendable {
        case text([UInt8])
        case time, timeRFC3339, timeUnix, offset
        case level, levelLower, levelPadded
        case message, logger, event, file, line, function, sequence, run, traceID, spanID, attributes
        case attribute([UInt8])
        case processID, thread, program, host
    }

    private static let fields: [(name: String, piece: Piece)] = [
        ("time", .time), ("time:rfc3339", .timeRFC3339), ("time:unix", .timeUnix), ("level", .level),
        ("level:lower", .levelLower), ("level:padded", .levelPadded), ("message", .message), ("logger", .logger),
        ("event", .event), ("file", .file), ("line", .line), ("function", .function), ("seq", .sequence), ("run", .run),
        ("trace_id", .traceID), ("span_id", .spanID), ("attributes", .attributes), ("offset", .offset),
        ("pid", .processID), ("thread", .thread), ("program", .program), ("host", .host),
    ]

    let pieces: [Piece]

    /// Parses a pattern.
    ///
    /// - Throws: ``OptionError`` for the option `pattern` that describes the problem.
    init(_ text: String) throws(OptionError) {
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                literal.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "%"): literal.append(byte)
            case UInt8(ascii: "{"):
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
                    throw OptionError("pattern", "%{ without a closing }")
                }
                if !literal.isEmpty { pieces.append(.text(literal)) }
                literal = []
                pieces.append(try LinePattern.piece(String(decoding: rest[..<end], as: UTF8.self)))
                rest = rest[(end + 1)...]
            default: throw OptionError("pattern", "% must be followed by { or %")
            }
        }
        if !literal.isEmpty { pieces.append(.text(literal)) }
        if text.unicodeScalars.contains(where: { $0 != "\t" && EscapedText.mustBeEscaped($0.value) }) {
            throw OptionError("pattern", "must not have line breaks or other control characters")
        }
        guard pieces.contains(where: { if case .text = $0 { false } else { true } }) else {
            throw OptionError("pattern", "needs a field, such as %{message}")
        }
        self.pieces = pieces
    }

    private static func piece(_ name: String) throws(OptionError) -> Piece {
        if let field = fields.first(where: { $0.name == name }) { return field.piece }
        let key = name.utf8.dropFirst("attribute:".utf8.count)
        if name.hasPrefix("attribute:") && !key.isEmpty { return .attribute(Array(key)) }
        let known = (fields.map { $0.name } + ["attribute:NAME"]).sorted().joined(separator: ", ")
        throw OptionError("pattern", "unknown field \"\(name)\"; known fields: \(known)")
    }
}
