/// Encodes records as lines.
protocol LineEncoding {
    /// Appends a record's line and its newline. The line contains no other newline.
    mutating func encode(_ record: borrowing RecordView, into buffer: inout LineBuffer)
}

/// The encoder of a file, by its options.
package enum LineEncoder {
    case text(TextEncoder)
    case json(JSONLineEncoder)
    case logfmt(LogfmtEncoder)
    case pattern(PatternEncoder)
    case format(FormatEncoder)

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - format: ``LineOptions/Format/pattern`` counts as text.
    ///   - precision: Default `nil`: that of the format.
    package init(_ format: LineOptions.Format, zone: ZoneOffset, precision: LineOptions.Precision? = nil) {
        switch format {
        case .text, .pattern: self = .text(TextEncoder(zone: zone, precision: precision ?? .milliseconds))
        case .json: self = .json(JSONLineEncoder(precision: precision ?? .nanoseconds))
        case .logfmt: self = .logfmt(LogfmtEncoder(zone: zone, precision: precision ?? .milliseconds))
        }
    }

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
        case .format(var encoder):
            encoder.encode(record, into: &buffer)
            self = .format(encoder)
        }
    }
}
