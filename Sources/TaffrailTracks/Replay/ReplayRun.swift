internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// The execution of a replay, on its thread.
struct ReplayRun {
    private let player: ReplayPlayer
    private let options: ReplayOptions
    private let timer: any ReplayTimer
    private var source: ReplaySource
    private var times: ReplayTimes
    private var clock: ReplayClock
    /// The number of events to replay without waiting, for steps.
    private var steps = 0
    private var isStopped = false
    private var end: ReplayPoint?
    /// Events replayed on time since `paceStart`.
    private var paced = 0
    private var paceStart: Int64 = 0

    /// The shortest duration of a thousand events for which the thread may have a raised priority, in nanoseconds.
    private static let shortestThousand: Int64 = 200_000_000

    init(_ player: ReplayPlayer) throws(RecordingError) {
        self.player = player
        options = player.options
        timer = player.timer
        source = try ReplaySource(path: options.path, format: options.format, device: options.device)
        times = ReplayTimes(options.timeMode)
        end = options.end?.resolved(start: source.start)
        clock = ReplayClock(rate: options.rate)
        if let start = options.start {
            _ = try source.seek(to: start)
            guard source.next != nil else { throw Self.isEmpty(source, "at or after the requested start") }
            clock.jump(to: time(of: start), at: 0)
        }
        if let end, let first = source.next, end.isPassed(by: first, number: source.number) {
            throw Self.isEmpty(source, "up to the requested end")
        }
        let duration = source.duration
        let eventCount = source.eventCount
        player.state.withLock { state in
            state.status.length = state.status.length ?? duration
            state.status.eventCount = state.status.eventCount ?? eventCount
        }
    }

    /// Returns the error for a track without events in the range to be replayed.
    private static func isEmpty(_ source: ReplaySource, _ part: String) -> RecordingError {
        var reason = Array("there is nothing \(part)".utf8)
        if source.next == nil, let last = source.previousTime {
            reason.append("; its last event is at ")
            reason.append(real: last, decimals: 3)
            reason.append(" s")
        }
        return RecordingError(.malformed, path: source.path, reason: String(decoding: reason, as: UTF8.self))
    }

    mutating func run(
        prepare: (Timestamp) -> Void, _ emit: (RecordedEvent) -> Void
    ) throws(RecordingError) {
        if let first = source.next {
            let isTimed = first.event.location?.extra.hasNoTime != true && first.event.error?.hasNoTime != true
            prepare(options.timeMode == .now ? timer.wall : isTimed ? first.timestamp : Timestamp(nanoseconds: 0))
        }
        timer.hasRaisedPriority = !options.isAsFastAsPossible
        defer { timer.hasRaisedPriority = false }
        paceStart = timer.uptime
        if !options.startsPaused { clock.resume(at: timer.uptime) }
        publishClock()
        defer {
            let warnings = source.warnings
            player.state.withLock { $0.warnings = warnings }
        }
        try replay(emit)
    }

    private mutating func replay(_ emit: (RecordedEvent) -> Void) throws(RecordingError) {
        while true {
            try applyCommands(emit)
            if isStopped { return }
            if clock.isPaused && steps == 0 {
                timer.wait(until: nil)
                continue
            }
            guard let event = source.next, end?.isPassed(by: event, number: source.number) != true else {
                guard options.loops, try begin(emit) else { return }
                continue
            }
            let due = clock.due(event.relativeTime)
            let uptime = timer.uptime
            if let due, steps == 0, !options.isAsFastAsPossible, uptime < due {
                timer.wait(until: due)
                continue
            }
            send(event, due: due, uptime: uptime, emit)
            try source.advance()
        }
    }

    private mutating func send(
        _ event: RecordedEvent, due: Int64?, uptime: Int64, _ emit: (RecordedEvent) -> Void
    ) {
        var event = event
        let isTimed = steps == 0 && !options.isAsFastAsPossible
        let time = event.relativeTime
        if options.timeMode != .recorded {
            let late: Duration = isTimed ? .nanoseconds(uptime - (due ?? uptime)) : .zero
            times.apply(
                to: &event, wall: timer.wall - late, rate: options.isAsFastAsPossible ? 1 : clock.rate)
        }
        if case .location(let location) = event.event {
            var location = location.simulated()
            location.extra.uptime = uptime
            event.event = .location(location)
        }
        if !isTimed {
            steps = max(0, steps - 1)
            clock.jump(to: time, at: uptime)
        }
        emit(event)
        let number = source.number
        let clock = clock
        player.state.withLock { state in
            if isTimed, let due { state.timing.add(.nanoseconds(uptime - due)) }
            state.status.event = number
            state.status.replayed += 1
            state.status.seconds = time
            if !isTimed { state.clock = clock }
        }
        keepPace(isTimed, uptime)
    }

    /// Restores the ordinary priority while events follow each other too quickly.
    private mutating func keepPace(_ isTimed: Bool, _ uptime: Int64) {
        guard isTimed else { return }
        paced += 1
        guard paced == 1_000 else { return }
        timer.hasRaisedPriority = uptime - paceStart >= Self.shortestThousand
        paced = 0
        paceStart = uptime
    }

    // MARK: Jumps

    /// Starts again. Returns `false` when there is nothing to replay.
    private mutating func begin(_ emit: (RecordedEvent) -> Void) throws(RecordingError) -> Bool {
        let status = player.state.withLock { $0.status }
        guard status.replayed > 0, status.event > 0 else { return false }
        let pointStart = options.start ?? .event(1)
        guard try source.seek(to: pointStart), let first = source.next else { return false }
        guard end?.isPassed(by: first, number: source.number) != true else { return false }
        let target = options.start.map { time(of: $0) } ?? 0
        jump(.loop, from: status.seconds, to: target, emit)
        // The first event of a repetition follows a second of the track's time after the last one.
        let due = clock.due(status.seconds + ReplayOptions.loopPause / .seconds(1)) ?? timer.uptime
        clock.jump(to: first.relativeTime, at: options.isAsFastAsPossible ? timer.uptime : due)
        player.state.withLock { state in
            state.status.loops += 1
            state.status.event = 0
        }
        publishClock()
        return true
    }

    private mutating func seek(to point: ReplayPoint, _ emit: (RecordedEvent) -> Void) throws(RecordingError) {
        let from = clock.time(at: timer.uptime)
        guard try source.seek(to: point) else {
            player.state.withLock { $0.status.problem = "\(options.path) cannot be rewound" }
            return
        }
        let target = time(of: point)
        jump(.seek, from: from, to: target, emit)
        clock.jump(to: target, at: timer.uptime)
        let number = source.number - 1
        player.state.withLock { state in
            state.status.event = number
            state.status.seconds = target
        }
        publishClock()
    }

    private mutating func jump(
        _ jump: GeoError.ReplayJump, from: Double, to: Double, _ emit: (RecordedEvent) -> Void
    ) {
        times.reset(isJump: true)
        emit(
            RecordedEvent(
                timestamp: timer.wall, relativeTime: to, event: .error(.jump(jump, from: from, to: to))))
    }

    /// Returns the track's time at a point, once the source has reached it.
    private func time(of point: ReplayPoint) -> Double {
        switch point.resolved(start: source.start) {
        case .elapsed(let time): time / .seconds(1)
        case .time(let time): self.time(at: time)
        case .event, .timeOfDay: source.next?.relativeTime ?? clock.time(at: timer.uptime)
        }
    }

    /// Returns the track's time at a time of the wall clock, once the source has reached it. It is computed from the
    /// next event, which has both times, because the wall clock may have been set since the start.
    private func time(at wall: Timestamp) -> Double {
        guard let next = source.next else { return max(0, wall.seconds(since: source.start)) }
        return max(source.previousTime ?? 0, next.relativeTime - next.timestamp.seconds(since: wall))
    }

    // MARK: Commands

    private mutating func applyCommands(_ emit: (RecordedEvent) -> Void) throws(RecordingError) {
        let commands = player.state.withLock { state in
            guard !state.commands.isEmpty else { return [ReplayPlayer.Command]() }
            defer { state.commands.removeAll() }
            state.status.problem = nil
            return state.commands
        }
        for command in commands {
            let uptime = timer.uptime
            switch command {
            case .stop: isStopped = true
            case .play:
                steps = 0
                clock.resume(at: uptime)
                times.reset(isJump: false)
            case .pause:
                steps = 0
                clock.pause(at: uptime)
            case .rate(let rate):
                clock.setRate(rate, at: uptime)
                times.reset(isJump: false)
            case .step(let count):
                clock.pause(at: uptime)
                times.reset(isJump: false)
                let (sum, isOver) = steps.addingReportingOverflow(count)
                steps = isOver ? .max : sum
            case .seek(let point): try seek(to: point, emit)
            case .skip(let seconds):
                let target = Duration(clampingSeconds: max(0, clock.time(at: uptime) + seconds))
                try seek(to: .elapsed(target), emit)
            }
        }
        guard !commands.isEmpty else { return }
        publishClock()
        player.state.withLock { $0.applied += commands.count }
    }

    private func publishClock() {
        let clock = clock
        let uptime = timer.uptime
        player.state.withLock { state in
            state.clock = clock
            state.status.rate = clock.rate
            if state.status.state != .ended { state.status.state = clock.isPaused ? .paused : .playing }
            if clock.isPaused { state.status.seconds = clock.time(at: uptime) }
        }
    }
}
