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

    /// When something is done.
    public enum When: String, Sendable, Hashable, CaseIterable, Decodable {
        /// Where it makes sense.
        case auto
        /// In any case.
        case always
        /// In no case.
        case never
    }

    /// Where lines go. Default ``Stream/stderr``.
    public var stream: Stream
    /// Whether levels are coloured. Default ``When/auto``: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    public var color: When
    /// Whether `<N>`, the syslog priority, stands before each line, which systemd takes off again. Default
    /// ``When/auto``: when the stream is the one that `JOURNAL_STREAM` names. Then the time is left out, too.
    public var priority: When
    /// Whose clock lines show. Default ``FileOptions/Time/local``.
    public var time: FileOptions.Time

    /// Makes options; each has the default that its property tells.
    public init(
        stream: Stream = .stderr, color: When = .auto, priority: When = .auto, time: FileOptions.Time = .local
    ) {
        self.stream = stream
        self.color = color
        self.priority = priority
        self.time = time
    }

    /// The stream.
    public func destinations(of instance: PluginInstance) -> [String] { [stream.rawValue] }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case stream, color, priority, time
    }

    private enum Time: String, CaseIterable, Decodable {
        case local, utc
    }

    /// Reads options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        stream = try options.value(.stream, or: stream)
        color = try options.value(.color, or: color)
        priority = try options.value(.priority, or: priority)
        time = try options.value(.time, or: Time.local) == .utc ? .utc : .local
    }
}
