/// What the writer knows of one sink.
struct SinkState {
    let sink: any Sink
    let slot: Int
    /// Where its position in the ring is kept.
    let journal: SinkJournal
    /// Everything before this position has been written.
    var position: UInt64
    /// The sequence number that it gets next.
    var nextSequence: UInt64 = 1
    /// Since when it has been failing, and when it is tried next; `nil` while it takes records.
    var failure: Failure?
    /// Whether space is freed without waiting for it.
    var isDetached = false
    /// How many records were freed before it had them, to be said when it is back.
    var missed: UInt64 = 0

    struct Failure {
        let since: Int64
        var retryAt: Int64
        var delay: Int64
        var reason: String
    }

    static let firstDelay: Int64 = 10_000_000
    static let longestDelay: Int64 = 1_000_000_000
    /// How long a sink may fail while another goes on.
    static let patience: Int64 = 5_000_000_000

    mutating func fail(_ reason: String, at now: Int64) {
        if var failure {
            failure.delay = min(2 * failure.delay, Self.longestDelay)
            failure.retryAt = now + failure.delay
            failure.reason = reason
            self.failure = failure
        } else {
            failure = Failure(since: now, retryAt: now + Self.firstDelay, delay: Self.firstDelay, reason: reason)
        }
    }

    func mayTry(at now: Int64) -> Bool { failure.map { now >= $0.retryAt } ?? true }
}
