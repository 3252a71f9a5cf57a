extension LineEncoder {
    /// Creates the encoder for a file's options, or for a custom format.
    ///
    /// - Throws: ``OptionError`` if the pattern is invalid, or if the format's name is that of another one or cannot be
    ///   stored in a ring.
    package init(_ options: FileOptions, _ format: (any LineFormat)? = nil, zone: ZoneOffset) throws(OptionError) {
        if let format {
            let (name, limit) = (format.name, RingHeader.encoderLength)
            guard !name.isEmpty, name.utf8.count <= limit, !name.utf8.contains(0) else {
                throw OptionError("format", "must have a name of at most \(limit) bytes, is \"\(name)\"")
            }
            guard LineOptions.Format(rawValue: name) == nil else {
                throw OptionError("format", "\"\(name)\" is the name of another format")
            }
            self = .format(FormatEncoder(format))
        } else if options.format == .pattern {
            self = .pattern(
                try PatternEncoder(options.pattern ?? "", zone: zone, precision: options.precision ?? .milliseconds))
        } else {
            self.init(options.format, zone: zone, precision: options.precision)
        }
    }
}
