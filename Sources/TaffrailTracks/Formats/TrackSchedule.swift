internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Adds the times that a file omits to its events, in the order of the file.
///
/// A position without a time gets one between those of its neighbours: a second after the previous one, or less if the
/// next time requires it. Before the first time of a file, positions are a second apart, and end a second before it. An
/// error without a time gets the time of the previous event. In a file without any times, the first position is at
/// ``arrival``. Events with a synthetic time have ``Location/Extra/hasNoTime`` or ``GeoError/hasNoTime``.
///
/// The schedule never goes back. Where the times do, as in a file whose newest track is first, it continues a second
/// later. If they then return to their earlier course, as after a single wrong time, the schedule does too.
struct TrackSchedule {
    /// The maximum number of events without a time that are held back until one with a time follows.
    static let limit = 4_096
    /// How far a time may precede the last one without belonging to another track.
    private static let longestStep = Duration.seconds(60)
    /// The number of earlier starts that are kept.
    private static let startLimit = 16

    /// The time of the first position in a file without times: the time of the file's last change. Default: 1970-01-01.
    var arrival = Timestamp(nanoseconds: 0)
    /// The skipped points.
    var warnings = TrackWarnings()
    /// The problem with the first skipped point.
    private(set) var firstProblem: RecordingError?
    /// Whether no position has been added so far.
    private(set) var isEmpty = true
    /// The reason why the file could not be read to its end.
    private(set) var failure: RecordingError?
    /// Whether all events have been added.
    private(set) var isFinished = false

    private var ready: [RecordedEvent] = []
    private var readyUsed = 0
    /// Events that have no time yet.
    private var waiting: [GeoEvent] = []
    private var start: Timestamp?
    /// The starts of the schedule before the times went back, the oldest first.
    private var earlierStarts: [Timestamp] = []
    private var last: RecordedEvent?
    /// Whether the file has contained a time so far.
    private var isTimed = false
    /// Whether the first events were returned before any time was read.
    private var startsWithoutTimes = false

    /// Adds a position.
    mutating func add(_ location: Location, time: Timestamp?) {
        isEmpty = false
        add(.location(location), time: time)
    }

    /// Skips an unreadable point: counts it, and describes it in the warnings.
    mutating func skip(_ problem: ReadError, in path: String) {
        let problem = RecordingError(problem, path: path)
        firstProblem = firstProblem ?? problem
        warnings.skip(problem.description)
    }

    /// Adds a gap after the last position.
    mutating func addGap() { add(.error(.interruption), time: nil) }

    /// Adds an event.
    mutating func add(_ event: GeoEvent, time: Timestamp?) {
        guard let time else {
            waiting.append(event)
            if waiting.count >= Self.limit { scheduleWaiting(before: nil) }
            return
        }
        scheduleWaiting(before: time)
        if startsWithoutTimes, !isTimed, let last {
            // Too many events preceded the first time: the schedule continues a second later.
            start = time - last.elapsed - .seconds(1)
        }
        isTimed = true
        if case .location(var location) = event {
            location.timestamp = time
            append(.location(location), at: time)
        } else {
            append(event, at: time)
        }
    }

    /// Ends the file, with its error, if any. A file with unreadable points only is an error.
    mutating func finish(_ failure: RecordingError? = nil) {
        scheduleWaiting(before: nil)
        self.failure = failure ?? (isEmpty ? firstProblem : nil)
        isFinished = true
    }

    /// Returns the next event; `nil` if more events must be added first.
    mutating func next() -> RecordedEvent? {
        guard readyUsed < ready.count else {
            ready.removeAll(keepingCapacity: true)
            readyUsed = 0
            return nil
        }
        readyUsed += 1
        return ready[readyUsed - 1]
    }

    /// Sets the times of events that have none.
    private mutating func scheduleWaiting(before next: Timestamp?) {
        guard !waiting.isEmpty else { return }
        let positions = waiting.count { $0.location != nil }
        var isFirst = last == nil
        if isFirst, next == nil { startsWithoutTimes = true }
        var time = last?.timestamp ?? next.map { $0 - .seconds(positions) } ?? arrival
        var step = Duration.seconds(1)
        if last != nil, isTimed, let next {
            step = max(.zero, min(.seconds(1), (next - time) / (positions + 1)))
        }
        for event in waiting {
            guard case .location(var location) = event else {
                append(event.withoutTime, at: time)
                continue
            }
            if !isFirst { time = time + step }
            isFirst = false
            location.timestamp = time
            location.extra.hasNoTime = true
            append(.location(location), at: time)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Appends an event.
    private mutating func append(_ event: GeoEvent, at time: Timestamp) {
        let start = scheduleStart(for: time)
        self.start = start
        let event = RecordedEvent(
            timestamp: time, relativeTime: max(last?.relativeTime ?? 0, time.seconds(since: start)), event: event)
        last = event
        ready.append(event)
    }

    /// Returns the start of the schedule, by which the next event is due.
    private mutating func scheduleStart(for time: Timestamp) -> Timestamp {
        guard let start, let last else { return self.start ?? time }
        if last.timestamp - time > Self.longestStep {
            earlierStarts.append(start)
            if earlierStarts.count > Self.startLimit { earlierStarts.removeFirst() }
            return time - last.elapsed - .seconds(1)
        }
        // Relative to an earlier start, a time is due sooner. If it is not overdue even then, the track before the
        // backward step has resumed.
        guard let index = earlierStarts.firstIndex(where: { last.elapsed - (time - $0) <= Self.longestStep }) else {
            return start
        }
        let earlier = earlierStarts[index]
        earlierStarts.removeSubrange(index...)
        return earlier
    }
}

extension GeoEvent {
    /// An error without a time of its own.
    fileprivate var withoutTime: GeoEvent {
        guard case .error(var error) = self else { return self }
        error.hasNoTime = true
        return .error(error)
    }
}
