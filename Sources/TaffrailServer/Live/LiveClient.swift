internal import Taffrail
internal import TaffrailText

/// A client of `GET /stream`, which receives each record as a server-sent event.
///
/// In an event `dropped`, `records` is the number of records, selected or not, that the client has missed because it
/// was too slow or disconnected; without `records`, the number is unknown.
final class LiveClient: Sendable {
    private struct State {
        /// The number of the next record.
        var next: UInt64
        /// The bytes that are sent first.
        var greeting: [UInt8]
        /// When bytes were sent last, by the monotonic clock.
        var sent = SystemClock.monotonicNanoseconds()
        /// The time of the last check whether the client may read.
        var allowed = SystemClock.monotonicNanoseconds()
    }

    private let live: LiveRecords
    private let selection: LiveSelection
    private let client: Int
    private let epoch: UInt64
    private let wakes: AsyncStream<Void>
    private let isAllowed: @Sendable () -> Bool
    private let state: Locked<State>

    /// How long a client may still read after its token has been removed.
    private static let grace = Duration.seconds(1)

    /// The approximate size of a part, in bytes.
    private static let partSize = 16 << 10
    /// Longer events are sent without copying them.
    private static let longestCopy = 4 << 10

    /// Registers the client.
    ///
    /// - Parameters:
    ///   - last: The last id that the client has received; `nil`: the stream begins with the next record.
    ///   - owner: The owner of the client.
    ///   - isAllowed: Whether the client may still read. It receives records for at most a second longer.
    init(
        of live: LiveRecords, _ selection: LiveSelection, after last: String?,
        owner: LiveOwner = .address(""), isAllowed: @escaping @Sendable () -> Bool = { true }
    ) throws(Problem) {
        self.isAllowed = isAllowed
        self.live = live
        self.selection = selection
        let joined = try live.join(owner)
        (client, epoch, wakes) = (joined.client, joined.start.epoch, joined.wakes)
        var start = joined.start
        var greeting: [UInt8] = []
        if let last, !last.isEmpty {
            if let position = live.position(after: last) {
                start = LivePosition(epoch: epoch, next: min(position.next, start.next))
            } else {
                greeting = Self.dropped(nil)
            }
        }
        // A browser reconnects after this number of milliseconds, and sends the id.
        greeting = Array("id: \(start.text)\nretry: 2000\n\n".utf8) + greeting
        state = Locked(State(next: start.next, greeting: greeting))
    }

    /// The response to the request.
    var answer: ServerAnswer {
        var answer = ServerAnswer(200, ServerStream.mediaType)
        // Proxies must not buffer the response.
        answer.headers.append(("x-accel-buffering", "no"))
        answer.stream = ServerStream(next: { await self.next() }, end: { self.live.leave(self.client) })
        return answer
    }

    /// Waits for the next bytes, and returns them; `nil` at the end.
    private func next() async -> SharedBytes? {
        var wakes = wakes.makeAsyncIterator()
        while true {
            let now = SystemClock.monotonicNanoseconds()
            let isDue = state.withLock { state in
                let hasPassed = now - state.allowed >= Self.grace.nanoseconds
                if hasPassed { state.allowed = now }
                return hasPassed
            }
            if isDue && !isAllowed() { return nil }
            let bytes = state.withLock { state in
                let bytes = self.read(&state, now)
                if bytes != nil { state.sent = now }
                return bytes
            }
            if let bytes { return bytes }
            guard await wakes.next() != nil else { return nil }
        }
    }

    private func read(_ state: inout State, _ now: Int64) -> SharedBytes? {
        var bytes = state.greeting
        state.greeting = []
        while bytes.count < Self.partSize {
            let part = live.events(from: state.next, for: client)
            guard part.end != state.next else { break }
            for event in part.chunks.lazy.flatMap(\.events) where event.index >= state.next {
                if event.index > state.next {
                    bytes += Self.dropped(event.index - state.next)
                    state.next = event.index
                }
                let isWanted = selection.matches(event.record)
                if isWanted && event.text.count > Self.longestCopy {
                    // Sends the preceding bytes first.
                    guard bytes.isEmpty else { return SharedBytes(bytes) }
                    state.next = event.index + 1
                    return event.text
                }
                state.next = event.index + 1
                if isWanted { event.text.append(to: &bytes) }
                if bytes.count >= Self.partSize { return SharedBytes(bytes) }
            }
            if part.end > state.next { bytes += Self.dropped(part.end - state.next) }
            state.next = part.end
        }
        if bytes.isEmpty, now - state.sent >= live.limits.heartbeat.nanoseconds / 2 {
            bytes = Array(":\nid: \(LivePosition(epoch: epoch, next: state.next).text)\n\n".utf8)
        }
        return bytes.isEmpty ? nil : SharedBytes(bytes)
    }

    private static func dropped(_ count: UInt64?) -> [UInt8] {
        Array("event: dropped\ndata: {\(count.map { "\"records\":\($0)" } ?? "")}\n\n".utf8)
    }
}
