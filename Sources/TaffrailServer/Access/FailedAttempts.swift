internal import Taffrail

/// Limits how often an address may send tokens that are not valid.
///
/// An address may send ten at once, and then one in six seconds. After that its tokens are not looked at, but for those that
/// were valid when it sent them before: clients that share an address with an attacker are not locked out.
final class FailedAttempts: Sendable {
    /// The most attempts at once.
    static let burst = 10
    /// The time after which an address has one more.
    static let interval: Int64 = 6_000_000_000
    /// The most addresses, and the most valid tokens, that are remembered.
    private static let limit = 4_096

    private struct Known: Hashable {
        let address: String
        let hash: [UInt8]
    }

    private struct State {
        /// When the address will have all its attempts again, by the monotonic clock.
        var busyUntil: [String: Int64] = [:]
        var known: Set<Known> = []
    }

    private let state = Locked(State())
    private let now: @Sendable () -> Int64

    /// - Parameter now: The monotonic time, in nanoseconds.
    init(now: @escaping @Sendable () -> Int64 = { SystemClock.monotonicNanoseconds() }) { self.now = now }

    /// Whose attempts count together: a client has all addresses of a network of IPv6.
    static func network(_ address: String) -> String {
        guard address.contains(":") else { return address }
        // An IPv4 client of an IPv6 socket.
        if address.lowercased().hasPrefix("::ffff:"), address.contains(".") { return String(address.dropFirst(7)) }
        let head =
            address.split(separator: "%")[0].firstRange(of: "::").map { address[..<$0.lowerBound] } ?? address[...]
        let groups = head.split(separator: ":").prefix(4)
        return groups.joined(separator: ":") + "/64"
    }

    /// Checks that a token of an address may be looked at.
    ///
    /// - Throws: 429 with the time after which it may.
    func check(_ address: String, hash: [UInt8]) throws(Problem) {
        let network = Self.network(address)
        let now = now()
        let wait = state.withLock { state -> Int64 in
            let ready = (state.busyUntil[network] ?? now) - Int64(Self.burst - 1) * Self.interval
            return state.known.contains(Known(address: network, hash: hash)) ? 0 : ready - now
        }
        guard wait <= 0 else {
            throw Problem(429, "too many tokens that are not valid", retryAfter: Int(wait / 1_000_000_000) + 1)
        }
    }

    /// Notes that an address has sent a token.
    func note(_ address: String, hash: [UInt8], isValid: Bool) {
        let network = Self.network(address)
        let now = now()
        state.withLock { state in
            let known = Known(address: network, hash: hash)
            if isValid {
                guard !state.known.contains(known) else { return }
                if state.known.count >= Self.limit { state.known = [] }
                state.known.insert(known)
            } else {
                // It was valid, and is no longer in the file.
                state.known.remove(known)
                if state.busyUntil.count >= Self.limit { state.busyUntil = state.busyUntil.filter { $0.value > now } }
                if state.busyUntil.count >= Self.limit, state.busyUntil[network] == nil {
                    if let first = state.busyUntil.min(by: { $0.value < $1.value }) { state.busyUntil[first.key] = nil }
                }
                state.busyUntil[network] = max(state.busyUntil[network] ?? now, now) + Self.interval
            }
        }
    }
}
