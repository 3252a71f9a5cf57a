#if HTTP
internal import Taffrail
internal import TaffrailText

/// Connects a sink with its input, which may be created in either order, by the directory of the spool. Any thread may
/// call.
final class PingerLink: Sendable {
    private struct State {
        weak var pinger: Pinger?
        /// What has not been logged, oldest first: before the first input, between two of them, and where one is slow.
        var attempts: [PingAttempt] = []
        /// How many of the oldest have been dropped since one was logged.
        var dropped = 0
    }

    private let state = Locked(State())
    /// Wakes the input whenever there may be attempts to be logged.
    let wakes = WakeStream()

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

    /// Takes the attempts that have not been logged, and how many before them were dropped.
    func takeAttempts() -> (attempts: [PingAttempt], dropped: Int) {
        state.withLock { state in
            defer { (state.attempts, state.dropped) = ([], 0) }
            return (state.attempts, state.dropped)
        }
    }

    /// Has an attempt logged, as soon as there is an input.
    func report(_ attempt: PingAttempt) {
        state.withLock { state in
            if state.attempts.count >= Self.attemptLimit {
                state.attempts.removeFirst()
                state.dropped += 1
            }
            state.attempts.append(attempt)
        }
        wakes.wake()
    }
}
#endif
