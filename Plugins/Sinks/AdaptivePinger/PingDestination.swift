#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailGeo
internal import TaffrailHTTP

/// Sends pings in a dialect, and reports each attempt.
final class PingDestination: Destination {
    private let options: AdaptivePingerOptions
    private let channel: HTTPChannel
    private let link: PingerLink
    /// The key of the last message, and how often the message has been sent.
    private let attempts = Locked((key: "", count: 0))

    init(_ options: AdaptivePingerOptions, name: String, link: PingerLink) {
        self.options = options
        self.link = link
        // Receivers may quote what they refuse, so the log would contain coordinates.
        channel = HTTPChannel(options.endpoint, options.delivery, name: name, showsResponses: false)
    }

    func send(_ batch: SpoolBatch) -> Attempt {
        var pings: [Ping] = []
        var time = Timestamp(nanoseconds: 0)
        _ = batch.withRecords { batch in
            batch.forEach { view in
                if let ping = Ping(LogRecord(view)) { pings.append(ping) }
                time = view.timestamp
            }
        }
        guard pings.count == batch.count, let last = pings.last else {
            return Attempt(.refused, reason: "a record in the spool is not a ping")
        }
        // A repetition may have the same number as the repeated ping.
        let key = batch.id + (last.isHeartbeat ? "-\(time.nanoseconds)" : "")
        var message = HTTPChannel.Message(
            options.dialect.body(pings, user: options.topicUser), contentType: options.dialect.contentType, key: key,
            count: batch.count)
        message.headers = options.dialect.headers(for: last, user: options.topicUser)
        let begin = SystemClock.monotonicNanoseconds()
        let outcome = channel.post(message) { [dialect = options.dialect] status, body in
            guard (200..<300).contains(status) else { return ResponseMeaning(failure: status) }
            return ResponseMeaning(dialect.isConfirmed(by: body) ? .accepted(refused: 0) : .later)
        }
        guard outcome.attempt.verdict != .interrupted else { return outcome.attempt }
        let number = attempts.withLock { last in
            last = (key, last.key == key ? last.count + 1 : 1)
            return last.count
        }
        var isAccepted = false
        if case .accepted = outcome.attempt.verdict { isAccepted = true }
        link.report(
            PingAttempt(
                time: .now, latency: SystemClock.monotonicNanoseconds() &- begin, number: number,
                status: outcome.status, problem: isAccepted ? nil : outcome.attempt.reason, ping: last,
                count: pings.count))
        return outcome.attempt
    }

    func interrupt() { channel.interrupt() }
}
#endif
