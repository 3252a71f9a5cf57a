public import Taffrail
public import TaffrailTracks

/// The options of the input `geo-replay`.
public struct GeoReplayOptions: PluginOptions {
    /// The options of the replay. `file` has no default.
    public var replay: ReplayOptions
    /// The path of a socket for commands; `nil`: none.
    public var control: String?

    /// Creates options.
    public init(_ replay: ReplayOptions, control: String? = nil) {
        self.replay = replay
        self.control = control
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case file, format, rate, loop, start, end, time, paused, device, control
        case asFastAsPossible = "as_fast_as_possible"
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        guard let path = try options.path(.file) else {
            throw DecodingError.keyNotFound(
                CodingKeys.file, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "is missing"))
        }
        guard path != "-" else { throw options.problem(.file, "must be the path of a file") }
        replay = ReplayOptions(path: path)
        if let name: String = try options.value(.format) {
            guard let format = TrackFormat(rawValue: name) else {
                let names = TrackFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw options.problem(.format, "must be one of \(names), not \"\(name)\"")
            }
            replay.format = format
        }
        replay.rate = try options.value(.rate, or: replay.rate, in: ReplayOptions.rates)
        replay.loops = try options.value(.loop, or: replay.loops)
        replay.start = try Self.point(options, .start)
        replay.end = try Self.point(options, .end)
        if let name: String = try options.value(.time) {
            guard let mode = ReplayOptions.TimeMode(rawValue: name) else {
                throw options.problem(.time, "must be recorded, now or monotonic, not \"\(name)\"")
            }
            replay.timeMode = mode
        }
        replay.isAsFastAsPossible = try options.value(.asFastAsPossible, or: replay.isAsFastAsPossible)
        replay.startsPaused = try options.value(.paused, or: replay.startsPaused)
        replay.device = try options.value(.device)
        control = try options.path(.control)
    }

    private static func point(_ options: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys) throws -> ReplayPoint? {
        guard let text: String = try options.value(key) else { return nil }
        guard let point = ReplayPoint(text) else {
            throw options.problem(
                key, "must be a time such as 1m30s, 14:30:05, 2026-01-05T14:30:00Z or #120, not \"\(text)\"")
        }
        return point
    }
}
