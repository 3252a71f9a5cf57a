public import Taffrail

/// The options of the sink `console`.
public struct ConsoleOptions: PluginOptions {
    /// The stream of the lines.
    public enum Stream: String, Sendable, Hashable, CaseIterable, Decodable {
        /// Descriptor 2.
        case stderr
        /// Descriptor 1.
        case stdout
    }

    /// The format of a record.
    public enum Format: String, Sendable, Hashable, CaseIterable, Decodable {
        /// `[2026-01-05 14:30:00.123] [INFO] message key=value`.
        case text
        /// A JSON object per line, as in the file sink.
        case json
    }

    /// When a feature is used.
    public enum When: String, Sendable, Hashable, CaseIterable, Decodable {
        /// When appropriate.
        case auto
        /// Always.
        case always
        /// Never.
        case never
    }

    /// The format of a record. Default ``Format/text``.
    public var format: Format
    /// The stream. Default: ``Stream/stdout`` for JSON, as log collectors of containers expect; ``Stream/stderr`` for
    /// text.
    public var stream: Stream
    /// Whether to colour levels in text. Default ``When/auto``: on a terminal, unless `NO_COLOR` is set or `TERM` is
    /// `dumb`.
    public var color: When
    /// Whether to prefix lines with `<N>`, the syslog priority, which systemd removes. Default ``When/auto``: if the
    /// stream is the one in `JOURNAL_STREAM`. Text lines then have no time.
    public var priority: When
    /// The time zone of lines; JSON is in UTC. Default ``LineOptions/Time/local``.
    public var time: LineOptions.Time

    /// Creates options.
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

    /// Returns the stream.
    public func destinations(of instance: PluginInstance) -> [String] { [stream.rawValue] }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case format, stream, color, colour, priority, time
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init(format: try options.value(.format, or: .text), stream: try options.value(.stream))
        guard !options.contains(.color) || !options.contains(.colour) else {
            throw options.problem(.colour, "cannot be combined with color")
        }
        color = try options.value(options.contains(.colour) ? .colour : .color, or: color)
        priority = try options.value(.priority, or: priority)
        time = try options.value(.time, or: time)
    }
}
