#if HTTP
internal import Taffrail
internal import TaffrailText

/// Connects a sink with its input, by the directory of the spool. Either may be created first. May be used on any
/// thread.
final class PingerLink: Sendable {
    private struct State {
        weak var pinger: Pinger?
        /// The attempts that have not been logged, oldest first: without an input, or while it is slow.
        var attempts: [PingAttempt] = []
        /// The number of older attempts that were dropped since the last one was logged.
        var dropped = 0
    }

    private let state = Locked(State())
    /// Wakes the input whenever there may be attempts to log.
    let wakes = WakeStream()

    private static let links = Locked<[String: PingerLink]>([:])
    /// The maximum number of attempts that are kept until they are logged.
    private static let attemptLimit = 1_000

    /// Returns the link of a directory.
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

    /// Takes the attempts that have not been logged, and the number of dropped ones before them.
    func takeAttempts() -> (attempts: [PingAttempt], dropped: Int) {
        state.withLock { state in
            defer { (state.attempts, state.dropped) = ([], 0) }
            return (state.attempts, state.dropped)
        }
    }

    /// Passes an attempt to the input as soon as the input runs.
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
