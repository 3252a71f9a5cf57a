#if HTTP
internal import Taffrail

/// Connects a sink with its input, which may be created in either order, by the directory of the spool. Any thread may
/// call.
final class PingerLink: Sendable {
    private struct State {
        weak var pinger: Pinger?
        var attempts: AsyncStream<PingAttempt>.Continuation?
    }

    private let state = Locked(State())

    private static let links = Locked<[String: PingerLink]>([:])
    /// How many attempts are kept that are not logged yet.
    private static let attemptLimit = 1_000

    /// The link of a directory.
    static func at(_ directory: String) -> PingerLink {
        links.withLock { links in
            if let link = links[directory] { return link }
            let link = PingerLink()
            links[directory] = link
            return link
        }
    }

    /// The sink in use.
    var pinger: Pinger? { state.withLock { $0.pinger } }

    func setPinger(_ pinger: Pinger) { state.withLock { $0.pinger = pinger } }

    func removePinger(_ pinger: Pinger) { state.withLock { if $0.pinger === pinger { $0.pinger = nil } } }

    /// The attempts from now on. Those of an earlier call end.
    func attempts() -> AsyncStream<PingAttempt> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PingAttempt.self, bufferingPolicy: .bufferingNewest(Self.attemptLimit))
        let before = state.withLock { state in
            defer { state.attempts = continuation }
            return state.attempts
        }
        before?.finish()
        return stream
    }

    /// Has an attempt logged, if there is an input.
    func report(_ attempt: PingAttempt) {
        let continuation = state.withLock { $0.attempts }
        continuation?.yield(attempt)
    }
}
#endif
