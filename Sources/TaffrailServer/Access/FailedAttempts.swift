internal import Taffrail

/// Limits how often an address may guess tokens.
///
/// An address may send ten wrong tokens at once, and then one every six seconds. Beyond that, wrong tokens are refused,
/// and valid ones that are short enough to be guessed, except for valid ones that the address has sent before: clients
/// that share an address with an attacker are not locked out. After a thousand wrong tokens, including refused ones,
/// and then a hundred a minute, long tokens are refused too: a long token may be a phrase that can be guessed with
/// enough attempts. Repeating a wrong token does not count: the client may not know that it was removed.
final class FailedAttempts: Sendable {
    /// The maximum number of attempts at once.
    static let burst = 10
    /// The time after which an address has one more attempt, in nanoseconds.
    static let interval: Int64 = 6_000_000_000
    /// The minimum length, in bytes, of a token that cannot be guessed with few attempts.
    static let safeLength = 20
    /// The number of attempts at once, including refused ones, after which long tokens are refused too.
    static let flood = 1_000
    /// The time after which an address has one more attempt after a flood, in nanoseconds.
    static let floodInterval: Int64 = 600_000_000
    /// The maximum number of remembered addresses, and of remembered valid tokens.
    private static let limit = 4_096
    /// How many addresses are removed if there are too many: those whose attempts are restored first.
    private static let forgotten = 64
    /// The maximum number of remembered wrong tokens of an address.
    private static let wrongLimit = 64

    private struct Known: Hashable {
        let address: String
        let hash: [UInt8]
    }

    private struct Attempts {
        /// The time at which the address has all its attempts again, by the monotonic clock.
        var busyUntil = Int64.min
        /// The same for the attempts after which long tokens are refused too.
        var floodUntil = Int64.min
        /// The first eight bytes of the hashes of the last wrong tokens.
        var wrong: [UInt64] = []

        /// The time after which the address can be removed.
        var end: Int64 { max(busyUntil, floodUntil) }
    }

    private struct State {
        var attempts: [String: Attempts] = [:]
        var known: Set<Known> = []

        mutating func add(_ known: Known) {
            if self.known.count >= FailedAttempts.limit, !self.known.contains(known) { self.known = [] }
            self.known.insert(known)
        }

        mutating func set(_ attempts: Attempts, of address: String, _ now: Int64) {
            let isFull = self.attempts.count >= FailedAttempts.limit && self.attempts[address] == nil
            if isFull {
                self.attempts = self.attempts.filter { $0.value.end > now }
                if self.attempts.count >= FailedAttempts.limit {
                    // Several at once, because finding them requires sorting all of them.
                    let first = self.attempts.sorted { $0.value.end < $1.value.end }.prefix(FailedAttempts.forgotten)
                    for (address, _) in first { self.attempts[address] = nil }
                }
            }
            self.attempts[address] = attempts
        }
    }

    private let state = Locked(State())
    private let now: @Sendable () -> Int64

    /// - Parameter now: The monotonic time, in nanoseconds.
    init(now: @escaping @Sendable () -> Int64 = { SystemClock.monotonicNanoseconds() }) { self.now = now }

    /// Returns the network whose attempts are counted together: an IPv6 client controls a whole /64.
    static func network(_ address: String) -> String {
        guard address.contains(":") else { return address }
        // An IPv4 client on an IPv6 socket.
        if address.lowercased().hasPrefix("::ffff:"), address.contains(".") { return String(address.dropFirst(7)) }
        let head =
            address.split(separator: "%")[0].firstRange(of: "::").map { address[..<$0.lowerBound] } ?? address[...]
        let groups = head.split(separator: ":").prefix(4)
        return groups.joined(separator: ":") + "/64"
    }

    /// Counts a token that an address has sent.
    ///
    /// - Parameters:
    ///   - hash: The hash of the token.
    ///   - length: The length of the token, in bytes.
    /// - Throws: 429, with the time until it may be resent, if the response must not disclose whether it is valid.
    func note(_ address: String, hash: [UInt8], length: Int, isValid: Bool) throws(Problem) {
        let network = Self.network(address)
        let known = Known(address: network, hash: hash)
        let now = now()
        let wait = state.withLock { state -> Int64 in
            var attempts = state.attempts[network] ?? Attempts()
            let wait = max(0, max(attempts.busyUntil, now) - Int64(Self.burst - 1) * Self.interval - now)
            if isValid {
                let flooded = max(attempts.floodUntil, now) - Int64(Self.flood - 1) * Self.floodInterval - now
                let wait = length >= Self.safeLength ? max(0, flooded) : wait
                guard wait == 0 || state.known.contains(known) else { return wait }
                state.add(known)
                return 0
            }
            let start = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            // The token may have been valid before.
            state.known.remove(known)
            if attempts.wrong.contains(start) { return 0 }
            // Limited to one whole flood, so that refusals end some time after the attack.
            let most = now + Int64(Self.flood) * Self.floodInterval
            attempts.floodUntil = min(max(attempts.floodUntil, now) + Self.floodInterval, most)
            guard wait == 0 else {
                state.set(attempts, of: network, now)
                return wait
            }
            attempts.busyUntil = max(attempts.busyUntil, now) + Self.interval
            if attempts.wrong.count >= Self.wrongLimit { attempts.wrong.removeFirst() }
            attempts.wrong.append(start)
            state.set(attempts, of: network, now)
            return 0
        }
        guard wait == 0 else {
            throw Problem(429, "too many invalid tokens", retryAfter: .seconds(wait / 1_000_000_000 + 1))
        }
    }
}
