extension LineFormat {
    /// Returns the format, if its name differs from those of the options and can be stored in a ring.
    func checked() throws(OptionError) -> Self {
        guard !name.isEmpty, name.utf8.count <= RingHeader.encoderLength, !name.utf8.contains(0) else {
            throw OptionError("format", "must have a name of at most \(RingHeader.encoderLength) bytes, is \"\(name)\"")
        }
        guard LineOptions.Format(rawValue: name) == nil else {
            throw OptionError("format", "\"\(name)\" is the name of another format")
        }
        return self
    }
}

extension LineEncoder {
    /// Creates the encoder for a file's options.
    ///
    /// - Throws: ``OptionError`` if the pattern is invalid.
    package init(_ options: FileOptions, zone: ZoneOffset) throws(OptionError) {
        guard options.format == .pattern else {
            self.init(options.format, zone: zone, precision: options.precision)
            return
        }
        let pattern = try LinePattern(options.pattern ?? "")
        self = .pattern(PatternEncoder(pattern, zone: zone, precision: options.precision ?? .milliseconds))
    }
}
