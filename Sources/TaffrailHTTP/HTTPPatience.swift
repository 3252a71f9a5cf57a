#if HTTP
internal import Taffrail

/// How long a request may take: longer after one for which that was not enough.
///
/// A batch that may have arrived is sent again as it is. On a link that needs more time for it than a request has, it would
/// be sent for ever otherwise.
package struct HTTPPatience: Sendable {
    /// How many requests in a row were not answered in time.
    private var misses = 0
    private let timeout: Int64

    /// How often the time is doubled at most.
    private static let mostDoublings = 3
    /// The longest time that a request gets by being doubled, in nanoseconds: an hour.
    private static let longest: Int64 = 3_600_000_000_000
    /// A shorter body is not what takes the time, in bytes.
    package static let shortestBody = 4 << 10

    /// - Parameter timeout: How long a request may take at first.
    package init(_ timeout: Duration) { self.timeout = max(1, timeout.nanoseconds) }

    /// How many nanoseconds a request with a body of that many bytes may take.
    package func limit(bytes: Int) -> Int64 {
        guard bytes >= Self.shortestBody else { return timeout }
        var limit = timeout
        for _ in 0..<min(misses, Self.mostDoublings) where limit < Self.longest { limit = min(limit * 2, Self.longest) }
        return limit
    }

    /// Notes that a request was answered.
    package mutating func noteAnswer() { misses = 0 }

    /// Notes that a request was not answered in time.
    ///
    /// - Returns: Whether its length may be why.
    package mutating func noteTimeout(bytes: Int) -> Bool {
        guard bytes >= Self.shortestBody else { return false }
        misses = min(misses + 1, Self.mostDoublings)
        return true
    }
}
#endif
