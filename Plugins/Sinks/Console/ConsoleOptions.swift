public import Taffrail

/// The options of the sink `console`.
public struct ConsoleOptions: PluginOptions {
    /// Where lines go.
    public enum Stream: String, Sendable, Hashable, CaseIterable, Decodable {
        /// Descriptor 2.
        case stderr
        /// Descriptor 1.
        case stdout
    }

    /// How a record is written.
    public enum Format: String, Sendable, Hashable, CaseIterable, Decodable {
        /// `[2026-01-05 14:30:00.123] [INFO] message key=value`.
        case text
        /// A JSON object a line, as that of the file sink.
        case json
    }

    /// When something is done.
    public enum When: String, Sendable, Hashable, CaseIterable, Decodable {
        /// Where it makes sense.
        case auto
        /// In any case.
        case always
        /// In no case.
        case never
    }

    /// How a record is written. Default ``Format/text``.
    public var format: Format
    /// Where lines go. Default: ``Stream/stdout`` for JSON, which collectors of containers read there, ``Stream/stderr`` for
    /// text.
    public var stream: Stream
    /// Whether levels are coloured, in text. Default ``When/auto``: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    public var color: When
    /// Whether `<N>`, the syslog priority, stands before each line, which systemd takes off again. Default
    /// ``When/auto``: when the stream is the one that `JOURNAL_STREAM` names. Then the time is left out of text, too.
    public var priority: When
    /// Whose clock lines show; JSON has UTC. Default ``FileOptions/Time/local``.
    public var time: LineOptions.Time

    /// Makes options; each has the default that its property tells.
    public init(
        format: Format = .text, stream: Stream? = nil, color: When = .auto, priority: When = .auto,
        time: LineOptions.Time = .local
    ) {
        self.format = format
        self.stream = stream ?? (format == .json ? .stdout : .stderr)
        self.color = color
        self.priority = priority
        self.time = time
    }

    /// The stream.
    public func destinations(of instance: PluginInstance) -> [String] { [stream.rawValue] }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case format, stream, color, priority, time
    }

    private enum Time: String, CaseIterable, Decodable {
        case local, utc
    }

    /// Reads options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init(format: try options.value(.format, or: .text), stream: try options.value(.stream))
        color = try options.value(.color, or: color)
        priority = try options.value(.priority, or: priority)
        time = try options.value(.time, or: Time.local) == .utc ? .utc : .local
    }
}
