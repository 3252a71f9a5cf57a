/// The path and the format of a ``FileSink``.
public struct FileOptions: Sendable, Hashable {
    /// The format of a line.
    public typealias Format = LineOptions.Format
    /// The precision of the times in lines.
    public typealias Precision = LineOptions.Precision
    /// The time zone of lines.
    public typealias Time = LineOptions.Time

    /// The live file. A relative path is resolved against the working directory when the sink is created. A missing
    /// directory is created with mode 0750.
    public var path: String
    /// When to rotate the file, and which files to keep. Default: 10 MiB, 5 files.
    public var rotate: RotationOptions
    /// How a record is written. Default ``LineOptions/Format/text``.
    public var format: Format
    /// The layout for ``LineOptions/Format/pattern``, such as `%{time} %{level} %{message}%{attributes}`; `%%` is a
    /// percent sign. Default `nil`. The fields, with their variants after a colon:
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
    public var pattern: String?
    /// The time zone of timestamps in lines; JSON lines are always in UTC. Default ``LineOptions/Time/local``.
    public var time: Time
    /// The precision of times. Default `nil`: nanoseconds in JSON, milliseconds otherwise.
    public var precision: Precision?
    /// The exact permissions of new files, from 0 to 0o777. Default `nil`: 0640 with the umask applied.
    public var mode: UInt16?
    /// The minimum level of records that survive power loss when `write` returns. Default `nil`: only
    /// ``FileSink/flush()`` ensures that. It costs the latency of the disk, some milliseconds.
    public var flushLevel: Level?
    /// Whether to maintain a symbolic link to the live file next to the log: `app.current` for `app.log`. Default
    /// `false`.
    public var currentLink: Bool

    /// Creates options.
    public init(
        path: String, rotate: RotationOptions = RotationOptions(), format: Format = .text, pattern: String? = nil,
        time: Time = .local, precision: Precision? = nil,
        mode: UInt16? = nil, flushLevel: Level? = nil, currentLink: Bool = false
    ) {
        self.path = path
        self.rotate = rotate
        self.format = format
        self.pattern = pattern
        self.time = time
        self.precision = precision
        self.mode = mode
        self.flushLevel = flushLevel
        self.currentLink = currentLink
    }

    /// Rejects values out of range, by name. Opens nothing.
    public func validate() throws(OptionError) { _ = try validLog() }

    /// Returns the log of valid options.
    func validLog() throws(OptionError) -> LogPath {
        if let problem = PathText.problem(path) { throw OptionError("path", problem) }
        guard !PathText.isStream(path) else {
            throw OptionError("path", "\(path) is not a regular file and cannot be rotated: use the sink \"console\"")
        }
        guard let log = LogPath(ofLog: path) else {
            throw OptionError(
                "path", "\"\(path)\" does not name a file (at most \(LogPath.longestBase) bytes after the last /)"
            )
        }
        if let mode, mode > 0o777 {
            throw OptionError("mode", "must be from 0 to 0o777, not 0o\(String(mode, radix: 8))")
        }
        if let pattern {
            _ = try PatternEncoder(pattern)
            if format != .pattern { throw OptionError("pattern", "requires format: pattern, not \(format.rawValue)") }
        } else if format == .pattern {
            throw OptionError("pattern", "is required for format: pattern")
        }
        try rotate.validate()
        return log
    }
}
