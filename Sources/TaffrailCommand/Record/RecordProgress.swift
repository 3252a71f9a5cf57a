internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// The progress of `taffrail record`. Any thread may call.
final class RecordProgress: Sendable {
    private struct State {
        var fixes = 0
        var accuracy: Double?
        var recent: [Int64] = []
        var events = 0
        var duration = Duration.zero
        var size = 0
        var paths: [String] = []
        var failure: String?
        var inputFailure: String?
        /// The reason for the lack of a position so far.
        var waiting: String
        var lostEvents = 0
        var recordedPositions = 0
        var hasEnded = false
        var lastShown: Int64 = 0
    }

    private let state: Locked<State>
    private let isTerminal = StandardStream.isTerminal(2)

    /// Creates the progress of a recording without positions.
    ///
    /// - Parameter source: The source of the positions.
    init(waitingFor source: String) { state = Locked(State(waiting: "nothing was received from \(source)")) }

    /// Whether the input has ended.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    /// The files, oldest first.
    var paths: [String] { state.withLock { $0.paths } }
    /// The reason why recording currently fails.
    var failure: String? { state.withLock { $0.failure } }
    /// The reason why the input has ended.
    var inputFailure: String? { state.withLock { $0.inputFailure } }

    /// The number of received positions.
    var fixes: Int { state.withLock { $0.fixes } }
    /// The number of recorded positions that an earlier run had left in its queue.
    var recoveredPositions: Int { state.withLock { max(0, $0.recordedPositions - $0.fixes) } }
    /// The reason for the lack of a position so far.
    var waiting: String { state.withLock { $0.waiting } }
    /// The number of events in recordings that were deleted during writing.
    var lostEvents: Int { state.withLock { $0.lostEvents } }

    /// Counts a received position; before the first one, prints why there is none.
    func take(_ event: GeoEvent) {
        guard let location = event.location else {
            if let error = event.error { wait(error.description) }
            return
        }
        state.withLock { state in
            state.fixes += 1
            state.accuracy = location.horizontalAccuracy
            if state.recent.count == 32 { state.recent.removeFirst() }
            state.recent.append(SystemClock.monotonicNanoseconds())
        }
    }

    private func wait(_ reason: String) {
        let isNews = state.withLock { state in
            guard state.fixes == 0, state.waiting != reason else { return false }
            state.waiting = reason
            return true
        }
        // On a terminal the progress line shows it.
        if isNews && !isTerminal { StandardStream.report(reason) }
    }

    /// Counts recorded positions, including those of an earlier run.
    func add(recordedPositions count: Int) { state.withLock { $0.recordedPositions += count } }

    /// Records that the input has failed.
    func fail(_ reason: String) { state.withLock { $0.inputFailure = reason } }

    /// Records that the input has ended.
    func end() { state.withLock { $0.hasEnded = true } }

    /// Stores the recorder's progress.
    func take(path: String?, metadata: RecordingMetadata?, size: Int, lostEvents: Int, failure: String?) {
        state.withLock { state in
            state.lostEvents = lostEvents
            state.failure = failure
            if let path, state.paths.last != path { state.paths.append(path) }
            if let metadata {
                state.events = metadata.eventCount
                state.duration = metadata.duration
                state.size = size
            }
        }
    }

    /// Prints the progress on a terminal, at most once a second.
    func show(isLast: Bool = false) {
        guard isTerminal else { return }
        let line: String? = state.withLock { state in
            let now = SystemClock.monotonicNanoseconds()
            guard isLast || now - state.lastShown >= 1_000_000_000 else { return nil }
            state.lastShown = now
            return Self.line(state, now: now)
        }
        guard let line else { return }
        // Move to the line's start and clear the rest.
        StandardStream.write("\r\(line)\u{1B}[K\(isLast ? "\n" : "")", to: 2)
    }

    /// Returns a line such as `123 fixes 10.0/s ±3.2 m 0:01:12 145 kB geo_log_….json`.
    private static func line(_ state: State, now: Int64) -> String {
        var parts = [CountText.text(state.fixes, "fix", "fixes")]
        if let first = state.recent.first, state.recent.count > 1, now > first {
            parts.append(
                "\(DecimalText.string(Double(state.recent.count - 1) / (Double(now - first) / 1e9), decimals: 1))/s")
        }
        if let accuracy = state.accuracy { parts.append("±\(DecimalText.string(accuracy, decimals: 1)) m") }
        parts.append(ClockText.string(state.duration))
        parts.append(SizeText.string(Int64(state.size)))
        if let path = state.paths.last { parts.append(FileName.base(of: path)) }
        if state.fixes == 0 { parts.append("(\(state.waiting))") }
        if let failure = state.failure { parts.append("(\(failure))") }
        return parts.joined(separator: "  ")
    }
}
