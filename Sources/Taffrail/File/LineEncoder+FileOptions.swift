extension LineEncoder {
    /// Creates the encoder for a file's options.
    ///
    /// - Throws: ``OptionError`` if the pattern is invalid.
    package init(_ options: FileOptions, zone: ZoneOffset) throws(OptionError) {
        let precision = options.precision
        switch options.format {
        case .text: self = .text(TextEncoder(zone: zone, precision: precision ?? .milliseconds))
        case .json: self = .json(JSONLineEncoder(precision: precision ?? .nanoseconds))
        case .logfmt: self = .logfmt(LogfmtEncoder(zone: zone, precision: precision ?? .milliseconds))
        case .pattern:
            let pattern = try LinePattern(options.pattern ?? "")
            self = .pattern(PatternEncoder(pattern, zone: zone, precision: precision ?? .milliseconds))
        }
    }
}
