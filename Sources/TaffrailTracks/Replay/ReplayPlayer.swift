public import Taffrail
public import TaffrailGeo
public import TaffrailRecording

/// Replays a track in its own time, on one thread, controlled by other threads.
///
/// Any thread may give commands, before and while it runs. They take effect before the next event; a blocked read of a
/// pipe delays them.
public final class ReplayPlayer: Sendable {
    enum Command: Sendable {
        case play, pause, stop
        case rate(Double)
        case seek(ReplayPoint)
        /// Seconds of the track, which may exceed the range of a `Duration`.
        case skip(Double)
        case step(Int)
    }

    struct State: Sendable {
        var commands: [Command] = []
        /// The numbers of commands given and applied.
        var given = 0
        var applied = 0
        var status = ReplayStatus()
        var clock: ReplayClock
        var timing = ReplayTiming()
        var failure: RecordingError?
        var warnings = TrackWarnings()
    }

    /// The initial options.
    public let options: ReplayOptions
    let timer: any ReplayTimer
    let state: Locked<State>

    /// Creates a player without opening anything.
    ///
    /// - Throws: `OptionError` for invalid options.
    public convenience init(_ options: ReplayOptions) throws(OptionError) {
        try self.init(options, timer: MonotonicTimer())
    }

    package init(_ options: ReplayOptions, timer: any ReplayTimer) throws(OptionError) {
        try options.validate()
        self.options = options
        self.timer = timer
        var state = State(clock: ReplayClock(rate: options.rate))
        state.status.rate = options.rate
        self.state = Locked(state)
    }

    /// Replays from start to end, or until ``stop()``. Blocks the calling thread; must be called only once.
    ///
    /// - Parameters:
    ///   - prepare: Called once, with the time that the first event will have, before the track's time starts;
    ///     1970-01-01 if the event has no time of its own.
    ///   - emit: Called with each event when it is due, on this thread. Positions are marked as simulated. A jump is an
    ///     event too: an error of domain `GeoError.replayDomain`.
    /// - Throws: The error of the file: at once when it cannot be opened; for damage, after the last readable event.
    public func run(
        prepare: (Timestamp) -> Void = { _ in }, _ emit: (RecordedEvent) -> Void
    ) throws(RecordingError) {
        defer { state.withLock { $0.status.state = .ended } }
        do throws(RecordingError) {
            var run = try ReplayRun(self)
            try run.run(prepare: prepare, emit)
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }

    /// The error of the file.
    public var failure: RecordingError? { state.withLock { $0.failure } }

    /// The points of the file that were skipped because they could not be read; complete at the end.
    public var warnings: TrackWarnings { state.withLock { $0.warnings } }

    /// Starts the track's time.
    public func play() { give(.play) }

    /// Stops the track's time.
    public func pause() { give(.pause) }

    /// Ends the replay.
    public func stop() { give(.stop) }

    /// Changes the rate.
    ///
    /// - Throws: `OptionError` for an invalid rate.
    public func setRate(_ rate: Double) throws(OptionError) {
        try ReplayOptions.validate(rate: rate)
        give(.rate(rate))
    }

    /// Seeks to the first event at or after a point.
    public func seek(to point: ReplayPoint) { give(.seek(point)) }

    /// Seeks forward by a time of the track, or backward by a negative one.
    public func skip(by duration: Duration) { skip(bySeconds: duration / .seconds(1)) }

    /// Seeks by any finite number of seconds, which may exceed the range of a `Duration`.
    package func skip(bySeconds seconds: Double) { give(.skip(seconds)) }

    /// Pauses, and replays the next events at once, independently of their times.
    public func step(_ count: Int = 1) { give(.step(max(0, count))) }

    private func give(_ command: Command) {
        state.withLock { state in
            state.commands.append(command)
            state.given += 1
        }
        timer.wake()
    }

    /// Whether every command has taken effect.
    var hasAppliedCommands: Bool { state.withLock { $0.given == $0.applied || $0.status.state == .ended } }

    /// The current status.
    public var status: ReplayStatus {
        let uptime = timer.uptime
        return state.withLock { state in
            var status = state.status
            if status.state == .playing && !options.isAsFastAsPossible { status.seconds = state.clock.time(at: uptime) }
            status.seconds = max(0, min(status.seconds, status.length ?? .infinity))
            return status
        }
    }

    /// The accuracy of the timing so far.
    public var timing: ReplayTiming { state.withLock { $0.timing } }

    /// Sets the length of the track, for the status, if its file does not contain it.
    public func setLength(duration: Duration, eventCount: Int) {
        state.withLock { state in
            state.status.duration = state.status.duration ?? duration
            state.status.eventCount = state.status.eventCount ?? eventCount
        }
    }
}
