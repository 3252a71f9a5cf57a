/// What a ``FileSink`` writes, and where.
public struct FileOptions: Sendable, Hashable {
    /// How a record becomes a line.
    public typealias Format = LineOptions.Format
    /// How many digits of a second lines show.
    public typealias Precision = LineOptions.Precision
    /// Whose clock lines show.
    public typealias Time = LineOptions.Time

    /// The live file. A path that is not absolute starts at the working directory of the moment when the sink is
    /// made. The directory is made, 0750, where it is missing.
    public var path: String
    /// When the file is rotated and what is kept. Default: 10 MiB, 5 files.
    public var rotate: RotationOptions
    /// How a record is written. Default ``LineOptions/Format/text``.
    public var format: Format
    /// The layout for ``LineOptions/Format/pattern``: `%{time} %{level} %{message}%{attributes}`. Fields are `time`, `time:rfc3339`,
    /// `time:unix`, `level`, `level:lower`, `level:padded`, `message`, `logger`, `event`, `attributes`,
    /// `attribute:NAME`, `file`, `line`, `function`, `seq`, `run`, `trace_id` and `span_id`; `%%` is a percent sign.
    /// Default `nil`.
    public var pattern: String?
    /// Whose clock lines show; JSON lines are always in UTC. Default ``LineOptions/Time/local``.
    public var time: Time
    /// How fine the time is. Default `nil`: nanoseconds in JSON, milliseconds in the others.
    public var precision: Precision?
    /// The permissions of files that are made, from 0 to 0o777; exactly these. Default `nil`: 0640 less the umask.
    public var mode: UInt16?
    /// A record of this level or above is made to survive power loss before `write` returns. Default `nil`: only
    /// ``FileSink/flush()`` does that. What it costs is the disk's latency, some milliseconds.
    public var flushLevel: Level?
    /// Whether a symbolic link beside the log, `app.current` for `app.log`, leads to the live file. Default `false`.
    public var currentLink: Bool

    /// Makes options.
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

    /// Refuses what is out of range, by name. Opens nothing.
    public func validate() throws(OptionError) {
        guard LogPath(ofLog: path) != nil else {
            throw OptionError(
                "path", "\"\(path)\" does not name a file (at most \(LogPath.longestBase) bytes behind the last /)"
            )
        }
        if let mode, mode > 0o777 {
            throw OptionError("mode", "must be from 0 to 0o777, is 0o\(String(mode, radix: 8))")
        }
        if let pattern {
            _ = try LinePattern(pattern)
            if format != .pattern { throw OptionError("pattern", "needs format: pattern, is \(format.rawValue)") }
        } else if format == .pattern {
            throw OptionError("pattern", "is missing, and format is pattern")
        }
        try rotate.validate()
    }
}
