internal import Taffrail
internal import TaffrailText

/// A client of `GET /stream`: server-sent events, each a record.
///
/// An event `dropped` has in `records` how many records passed that the client may have missed, because it was too slow or
/// disconnected, whether or not it had selected them; without it, that is not known.
final class LiveClient: Sendable {
    private struct State {
        /// The number of the next record.
        var next: UInt64
        /// What is sent first.
        var greeting: [UInt8]?
        /// When bytes were sent last, by the monotonic clock.
        var sent = SystemClock.monotonicNanoseconds()
        /// When it was last seen that the client may read.
        var allowed = SystemClock.monotonicNanoseconds()
    }

    private let live: LiveRecords
    private let selection: LiveSelection
    private let client: Int
    private let wakes: AsyncStream<Void>
    private let isAllowed: @Sendable () -> Bool
    private let state: Locked<State>

    /// The media type of the stream.
    static let mediaType = "text/event-stream"

    /// How long a client may read on after its token has been removed, in nanoseconds.
    private static let grace: Int64 = 1_000_000_000

    /// The most bytes that are sent at once.
    private static let partSize = 64 << 10

    /// Joins the clients.
    ///
    /// - Parameters:
    ///   - last: The id of the last event that the client has; `nil`: it begins now.
    ///   - isAllowed: Whether the client may still read. The stream ends within a second after it may not.
    init(
        of live: LiveRecords, _ selection: LiveSelection, after last: String?,
        isAllowed: @escaping @Sendable () -> Bool = { true }
    ) throws(Problem) {
        self.isAllowed = isAllowed
        self.live = live
        self.selection = selection
        let joined = try live.join()
        (client, wakes) = (joined.client, joined.wakes)
        var state = State(next: joined.next)
        // A browser connects again after this many milliseconds.
        var greeting = Array("retry: 2000\n\n".utf8)
        if let last, !last.isEmpty {
            if let next = LiveID(last).flatMap({ live.index(after: $0) }) {
                state.next = next
            } else {
                greeting += Self.dropped(nil)
            }
        }
        state.greeting = greeting
        self.state = Locked(state)
    }

    /// The answer to the request.
    var answer: ServerAnswer {
        var answer = ServerAnswer(200, Self.mediaType)
        // Proxies must not collect it.
        answer.headers.append(("x-accel-buffering", "no"))
        answer.stream = ServerStream(next: { await self.next() }, end: { self.live.leave(self.client) })
        return answer
    }

    /// The next bytes, as soon as there are any; `nil` at the end.
    private func next() async -> [UInt8]? {
        var wakes = wakes.makeAsyncIterator()
        while true {
            let now = SystemClock.monotonicNanoseconds()
            let isDue = state.withLock { state in
                defer { if now - state.allowed >= Self.grace { state.allowed = now } }
                return now - state.allowed >= Self.grace
            }
            if isDue && !isAllowed() { return nil }
            let bytes = state.withLock { state in
                let bytes = self.read(&state, now)
                if !bytes.isEmpty { state.sent = now }
                return bytes
            }
            if !bytes.isEmpty { return bytes }
            guard await wakes.next() != nil else { return nil }
        }
    }

    private func read(_ state: inout State, _ now: Int64) -> [UInt8] {
        if let greeting = state.greeting {
            state.greeting = nil
            return greeting
        }
        var bytes: [UInt8] = []
        while bytes.count < Self.partSize {
            let part = live.events(from: state.next)
            guard part.end != state.next else { break }
            for event in part.events {
                if event.index > state.next { bytes += Self.dropped(event.index - state.next) }
                state.next = event.index + 1
                if selection.matches(event.record) { bytes += event.text }
                if bytes.count >= Self.partSize { return bytes }
            }
            if part.end > state.next { bytes += Self.dropped(part.end - state.next) }
            state.next = part.end
        }
        let isDue = now - state.sent >= live.limits.heartbeat.nanoseconds / 2
        return bytes.isEmpty && isDue ? Array(":\n\n".utf8) : bytes
    }

    private static func dropped(_ count: UInt64?) -> [UInt8] {
        Array("event: dropped\ndata: {\(count.map { "\"records\":\($0)" } ?? "")}\n\n".utf8)
    }
}
