internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Makes events of what a file says, in its order, with the times that the file gives and those that it leaves out.
///
/// A position without a time lies between its neighbours: a second after the one before, or less where the next time
/// comes sooner. Before the first time of a file positions are a second apart, and end a second before it. An error
/// without a time has that of the event before. In a file without any times the first position is at 1970-01-01. A
/// position whose time was made up bears ``Location/Extra/hasNoTime``.
struct TrackSchedule {
    /// How many events without a time wait for the next one that has one.
    static let limit = 4_096

    /// What was left out.
    var warnings = TrackWarnings()
    /// What is wrong with the first point that was skipped.
    private(set) var firstProblem: RecordingError?
    /// Whether there is no position so far.
    private(set) var isEmpty = true
    /// Why the file could not be read to its end.
    private(set) var failure: RecordingError?
    /// Whether nothing more is added.
    private(set) var isFinished = false

    private var ready: [RecordedEvent] = []
    private var readyUsed = 0
    /// Events that have no time yet.
    private var waiting: [GeoEvent] = []
    private var start: Timestamp?
    private var last: RecordedEvent?
    /// Whether a time of the file has been seen.
    private var isTimed = false
    /// Whether the first events were given out before any time was seen.
    private var startsWithoutTimes = false

    /// Adds a position.
    mutating func add(_ location: Location, time: Timestamp?) {
        isEmpty = false
        add(.location(location), time: time)
    }

    /// Skips a point that cannot be read: counts it, and describes it in the warnings.
    mutating func skip(_ problem: ReadError, in path: String) {
        let problem = RecordingError(problem, path: path)
        firstProblem = firstProblem ?? problem
        warnings.skip(problem.description)
    }

    /// Adds that there is no position after the one before.
    mutating func addGap() { add(.error(.locationUnknown("the track is interrupted")), time: nil) }

    /// Adds an event.
    mutating func add(_ event: GeoEvent, time: Timestamp?) {
        guard let time else {
            waiting.append(event)
            if waiting.count >= Self.limit { settle(before: nil) }
            return
        }
        settle(before: time)
        if startsWithoutTimes, !isTimed, let last {
            // Too much came before the first time to wait for it: the schedule goes on a second later.
            start = time - (last.relativeTime + 1)
        }
        isTimed = true
        if case .location(var location) = event {
            location.timestamp = time
            append(.location(location), at: time)
        } else {
            append(event, at: time)
        }
    }

    /// Ends the file, with what was wrong with it: points that cannot be read, and not one that can, are an error.
    mutating func finish(_ failure: RecordingError? = nil) {
        settle(before: nil)
        self.failure = failure ?? (isEmpty ? firstProblem : nil)
        isFinished = true
    }

    /// The next event; `nil` when more has to be added first.
    mutating func next() -> RecordedEvent? {
        guard readyUsed < ready.count else {
            ready.removeAll(keepingCapacity: true)
            readyUsed = 0
            return nil
        }
        readyUsed += 1
        return ready[readyUsed - 1]
    }

    /// Gives times to the events that have none.
    private mutating func settle(before next: Timestamp?) {
        guard !waiting.isEmpty else { return }
        let positions = Double(waiting.count { $0.location != nil })
        var isFirst = last == nil
        if isFirst, next == nil { startsWithoutTimes = true }
        var moment = last?.timestamp ?? next.map { $0 - positions } ?? Timestamp(nanoseconds: 0)
        var step = 1.0
        if last != nil, isTimed, let next {
            step = max(0, min(1, next.seconds(since: moment) / (positions + 1)))
        }
        for event in waiting {
            guard case .location(var location) = event else {
                append(event, at: moment)
                continue
            }
            if !isFirst { moment = moment + step }
            isFirst = false
            location.timestamp = moment
            location.extra.hasNoTime = true
            append(.location(location), at: moment)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Appends an event; one that lies before the start comes with it.
    private mutating func append(_ event: GeoEvent, at moment: Timestamp) {
        let start = self.start ?? moment
        self.start = start
        let event = RecordedEvent(
            timestamp: moment, relativeTime: max(0, moment.seconds(since: start)), event: event)
        last = event
        ready.append(event)
    }
}
