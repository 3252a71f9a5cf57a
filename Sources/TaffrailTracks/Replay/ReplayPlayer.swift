internal import Synchronization
public import Taffrail
public import TaffrailGeo
public import TaffrailRecording

/// Replays a track in its own time: what runs it on a thread, and what others steer it by.
///
/// Commands may be given from any thread, before and while it runs, and take effect at once, or where it waits for a file.
public final class ReplayPlayer: Sendable {
    enum Command: Sendable {
        case play, pause, stop
        case rate(Double)
        case seek(ReplayPoint)
        case skip(Double)
        case step(Int)
    }

    struct State: Sendable {
        var commands: [Command] = []
        /// How many commands have been given, and obeyed.
        var given = 0
        var obeyed = 0
        var status = ReplayStatus()
        var clock: ReplayClock
        var timing = ReplayTiming()
        var failure: RecordingError?
        var warnings = TrackWarnings()
    }

    /// What is replayed, and how it began.
    public let options: ReplayOptions
    let timer: any ReplayTimer
    let state: Mutex<State>

    /// Makes a player; it opens nothing yet.
    ///
    /// - Throws: ``OptionError`` for options that are not possible.
    public convenience init(_ options: ReplayOptions) throws(OptionError) {
        try self.init(options, timer: MonotonicTimer())
    }

    package init(_ options: ReplayOptions, timer: any ReplayTimer) throws(OptionError) {
        try options.validate()
        self.options = options
        self.timer = timer
        var state = State(clock: ReplayClock(rate: options.rate))
        state.status.rate = options.rate
        self.state = Mutex(state)
    }

    /// Replays from start to end, or until ``stop()``. Blocks its thread; called once.
    ///
    /// - Parameters:
    ///   - prepare: Called once, with the time that the first event will bear, before the track's time begins to run.
    ///   - emit: Takes each event, on this thread, when it is due. Positions are marked as simulated. A jump is an event
    ///     too: an error of domain ``GeoError/replayDomain``.
    /// - Throws: What is wrong with the file: at once when it cannot be opened; where it is damaged, behind the last event
    ///   that could be read.
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

    /// What was wrong with the file.
    public var failure: RecordingError? { state.withLock { $0.failure } }

    /// What was left out of the file because it could not be read; known at the end.
    public var warnings: TrackWarnings { state.withLock { $0.warnings } }

    /// Lets the track's time run.
    public func play() { give(.play) }

    /// Stops the track's time.
    public func pause() { give(.pause) }

    /// Ends the replay.
    public func stop() { give(.stop) }

    /// Changes how many seconds of the track pass in a second.
    ///
    /// - Throws: ``OptionError`` for a rate that is not possible.
    public func setRate(_ rate: Double) throws(OptionError) {
        guard ReplayOptions.rates.contains(rate) else {
            throw OptionError("rate", "must be from 0.01 to 10000, is \(rate)")
        }
        give(.rate(rate))
    }

    /// Goes to the first event at a point or behind it.
    public func seek(to point: ReplayPoint) { give(.seek(point)) }

    /// Goes forward by a time of the track; back by a negative one.
    public func skip(by duration: Duration) { give(.skip(duration / .seconds(1))) }

    /// Pauses, and replays the next events at once, whenever they are due.
    public func step(_ count: Int = 1) { give(.step(max(0, count))) }

    private func give(_ command: Command) {
        state.withLock { state in
            state.commands.append(command)
            state.given += 1
        }
        timer.wake()
    }

    /// Whether every command has taken effect.
    var isObedient: Bool { state.withLock { $0.given == $0.obeyed || $0.status.state == .ended } }

    /// Where it stands now.
    public var status: ReplayStatus {
        let uptime = timer.uptime
        return state.withLock { state in
            var status = state.status
            if status.state == .playing && !options.isAsFastAsPossible { status.time = state.clock.time(at: uptime) }
            status.time = max(0, min(status.time, status.duration ?? .infinity))
            return status
        }
    }

    /// How exactly it has kept its times so far.
    public var timing: ReplayTiming { state.withLock { $0.timing } }

    /// Tells how long the track is, for the status, where its file does not say so itself.
    public func setLength(duration: Double, eventCount: Int) {
        state.withLock { state in
            state.status.duration = state.status.duration ?? duration
            state.status.eventCount = state.status.eventCount ?? eventCount
        }
    }
}
