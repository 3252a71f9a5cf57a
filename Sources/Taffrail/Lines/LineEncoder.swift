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

    /// Makes the encoder that options ask for.
    ///
    /// - Parameter zone: Whose time lines show, but for JSON, which has UTC.
    package init(_ options: FileOptions, zone: ZoneOffset) throws(OptionError) {
        let precision: TimestampText.Precision? =
            switch options.precision {
            case nil: nil
            case .milliseconds: .milliseconds
            case .microseconds: .microseconds
            case .nanoseconds: .nanoseconds
            }
        switch options.format {
        case .text: self = .text(TextEncoder(zone: zone, precision: precision ?? .milliseconds))
        case .json: self = .json(JSONLineEncoder(precision: precision ?? .nanoseconds))
        case .logfmt: self = .logfmt(LogfmtEncoder(zone: zone, precision: precision ?? .milliseconds))
        case .pattern:
            let pattern = try LinePattern(options.pattern ?? "")
            self = .pattern(PatternEncoder(pattern, zone: zone, precision: precision ?? .milliseconds))
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
        }
    }
}
