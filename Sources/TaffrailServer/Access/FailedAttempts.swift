internal import Taffrail

/// Limits how often an address may guess tokens.
///
/// An address may send ten wrong ones at once, and then one in six seconds. After that further wrong ones are refused, and
/// also those valid ones that are short enough to be guessed, but for those that were valid when the address sent them
/// before: clients that share an address with an attacker are not locked out. After a thousand wrong ones, of which those that
/// were refused count too, and then a hundred in a minute, long ones are refused likewise: a long token may be a phrase
/// that can be guessed with enough attempts. The same wrong token does not count twice: its client may not know that it
/// was removed.
final class FailedAttempts: Sendable {
    /// The most attempts at once.
    static let burst = 10
    /// The time after which an address may try once more.
    static let interval: Int64 = 6_000_000_000
    /// The minimum length, in bytes, of a token that cannot be guessed with few attempts.
    static let safeLength = 20
    /// The most attempts at once, refused ones among them, after which long tokens too can be guessed.
    static let flood = 1_000
    /// The time after which an address may try once more after a flood.
    static let floodInterval: Int64 = 600_000_000
    /// The most addresses, and the most valid tokens, that are remembered.
    private static let limit = 4_096
    /// How many addresses are forgotten when there are too many: those that may try again first.
    private static let forgotten = 64
    /// How many wrong tokens of an address are remembered.
    private static let wrongLimit = 64

    private struct Known: Hashable {
        let address: String
        let hash: [UInt8]
    }

    private struct Attempts {
        /// When the address will have all its attempts again, by the monotonic clock.
        var busyUntil = Int64.min
        /// The same for those after which long tokens too are refused.
        var floodUntil = Int64.min
        /// The starts of the hashes of the last wrong tokens.
        var wrong: [UInt64] = []

        /// The time after which nothing needs to be remembered.
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
                    // Several at once: finding them means sorting all of them.
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

    /// Returns the network whose attempts count together: an IPv6 client controls a whole network of 64 bits.
    static func network(_ address: String) -> String {
        guard address.contains(":") else { return address }
        // An IPv4 client of an IPv6 socket.
        if address.lowercased().hasPrefix("::ffff:"), address.contains(".") { return String(address.dropFirst(7)) }
        let head =
            address.split(separator: "%")[0].firstRange(of: "::").map { address[..<$0.lowerBound] } ?? address[...]
        let groups = head.split(separator: ":").prefix(4)
        return groups.joined(separator: ":") + "/64"
    }

    /// Records that an address has sent a token, which was looked up.
    ///
    /// - Parameters:
    ///   - hash: The hash of the token.
    ///   - length: How long the token is.
    /// - Throws: 429, with the time after which it may be sent again, if the answer must not disclose whether it is valid.
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
            // It may have been valid before.
            state.known.remove(known)
            if attempts.wrong.contains(start) { return 0 }
            // No longer than for a whole burst: an end of the attack must end it.
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
            throw Problem(429, "too many tokens that are not valid", retryAfter: .seconds(wait / 1_000_000_000 + 1))
        }
    }
}
