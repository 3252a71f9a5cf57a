public import Taffrail

/// The options of a replay.
public struct ReplayOptions: Sendable, Hashable {
    /// The times of replayed events.
    public enum TimeMode: String, Sendable, Hashable, CaseIterable {
        /// The times of the track.
        case recorded
        /// As if the track happened now: the first event has the wall clock's time, and the others the times at which
        /// they are due.
        case now
        /// The times of the track, except that they continue forward when the track is repeated or rewound.
        case monotonic
    }

    /// The file; `-` is stdin, which can be neither repeated nor rewound.
    public var path: String
    /// The file's format; `nil`: determined by the file's name, else a recording.
    public var format: TrackFormat?
    /// Seconds of the track per second, 0.01 to 10,000. Default 1.
    public var rate: Double
    /// Whether to ignore the schedule.
    public var isAsFastAsPossible: Bool
    /// Whether to repeat the track until it is stopped.
    public var loops: Bool
    /// The start, also of repetitions; `nil`: the track's start.
    public var start: ReplayPoint?
    /// The end, inclusive; `nil`: the track's end.
    public var end: ReplayPoint?
    /// The times of events. Default: the recorded ones.
    public var timeMode: TimeMode
    /// Whether to wait for ``ReplayPlayer/play()`` before the first event.
    public var startsPaused: Bool
    /// The only receiver whose positions to replay, as named in the track; `nil`: all.
    public var device: String?

    /// The valid rates.
    public static let rates = 0.01...10_000.0
    /// The time of the track between its last event and the first one of a repetition.
    public static let loopPause = Duration.seconds(1)

    /// Creates options.
    public init(
        path: String, format: TrackFormat? = nil, rate: Double = 1, isAsFastAsPossible: Bool = false,
        loops: Bool = false, start: ReplayPoint? = nil, end: ReplayPoint? = nil, timeMode: TimeMode = .recorded,
        startsPaused: Bool = false
    ) {
        self.path = path
        self.format = format
        self.rate = rate
        self.isAsFastAsPossible = isAsFastAsPossible
        self.loops = loops
        self.start = start
        self.end = end
        self.timeMode = timeMode
        self.startsPaused = startsPaused
    }

    /// Checks the options without opening the file.
    ///
    /// - Throws: `OptionError` that names the option.
    public func validate() throws(OptionError) {
        try Self.validate(rate: rate)
        guard path != "-" || !loops else { throw OptionError("loop", "the standard input cannot be repeated") }
        guard !path.isEmpty else { throw OptionError("file", "must not be empty") }
    }

    static func validate(rate: Double) throws(OptionError) {
        guard rates.contains(rate) else { throw OptionError("rate", "must be from 0.01 to 10000, not \(rate)") }
    }
}
