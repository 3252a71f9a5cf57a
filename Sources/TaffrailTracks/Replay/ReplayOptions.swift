public import Taffrail

/// What is replayed, and how.
public struct ReplayOptions: Sendable, Hashable {
    /// Which times replayed events bear.
    public enum TimeMode: String, Sendable, Hashable, CaseIterable {
        /// Those of the track.
        case recorded
        /// As if it happened now: the first event bears the wall clock's time, and the others follow as they are due.
        case now
        /// Those of the track, but where it is repeated or rewound they go on instead of back.
        case monotonic
    }

    /// The file; `-` is the standard input, which can be neither looped nor rewound.
    public var path: String
    /// The file's format; `nil`: what its name says, and a recording where that says nothing.
    public var format: TrackFormat?
    /// How many seconds of the track pass in a second, 0.01 to 10,000. Default 1.
    public var rate: Double
    /// Whether nothing waits for its time.
    public var isAsFastAsPossible: Bool
    /// Whether it begins anew at its end, until it is stopped.
    public var loops: Bool
    /// Where it begins, and begins anew; `nil`: at the track's start.
    public var start: ReplayPoint?
    /// Where it ends; `nil`: at the track's end. What lies at this very point is still replayed.
    public var end: ReplayPoint?
    /// Which times events bear. Default: the recorded ones.
    public var timeMode: TimeMode
    /// Whether it waits for ``ReplayPlayer/play()`` before the first event.
    public var startsPaused: Bool
    /// The only receiver whose positions are replayed, as the track names it; `nil`: all.
    public var device: String?

    /// The rates that are possible.
    public static let rates = 0.01...10_000.0
    /// How many seconds of the track lie between its last event and its first one when it is repeated.
    public static let loopPause = 1.0

    /// Makes options.
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

    /// Checks what can be checked without opening the file.
    ///
    /// - Throws: ``OptionError`` that names the option.
    public func validate() throws(OptionError) {
        guard Self.rates.contains(rate) else { throw OptionError("rate", "must be from 0.01 to 10000, is \(rate)") }
        guard path != "-" || !loops else { throw OptionError("loop", "the standard input cannot be repeated") }
        guard !path.isEmpty else { throw OptionError("file", "must not be empty") }
    }
}
