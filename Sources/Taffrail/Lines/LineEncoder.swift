/// What turns records into bytes, one line each.
protocol LineEncoding {
    /// Appends a record's line with its newline, and no other newline.
    mutating func encode(_ record: borrowing RecordView, into buffer: inout LineBuffer)
}

/// The encoder of a file, by its options.
package enum LineEncoder {
    case text(TextEncoder)
    case json(JSONLineEncoder)
    case logfmt(LogfmtEncoder)
    case pattern(PatternEncoder)

    /// Appends a record's line.
    package mutating func encode(_ record: borrowing RecordView, into buffer: inout LineBuffer) {
        switch self {
        case .text(var encoder):
            encoder.encode(record, into: &buffer)
            self = .text(encoder)
        case .json(var encoder):
            encoder.encode(record, into: &buffer)
            self = .json(encoder)
        case .logfmt(var encoder):
            encoder.encode(record, into: &buffer)
            self = .logfmt(encoder)
        case .pattern(var encoder):
            encoder.encode(record, into: &buffer)
            self = .pattern(encoder)
        }
    }
}
