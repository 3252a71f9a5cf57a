#if HTTP
internal import Taffrail

/// The time limit of a request, which is longer after a request that was too slow.
///
/// A batch that may have arrived is sent again unchanged. On a link too slow for the time limit it would otherwise be
/// sent for ever.
package struct HTTPPatience: Sendable {
    /// The number of requests in a row that were not answered in time.
    private var misses = 0
    private let timeout: Duration

    /// The maximum number of times that the limit is doubled.
    private static let mostDoublings = 3
    /// The longest limit that results from doubling.
    private static let longest = Duration.hours(1)
    /// The length in bytes below which a body does not explain a timeout.
    package static let shortestBody = 4 << 10

    /// - Parameter timeout: The initial time limit of a request.
    package init(_ timeout: Duration) { self.timeout = max(.nanoseconds(1), timeout) }

    /// Returns how long a request with a body of `bytes` bytes may take.
    package func limit(bytes: Int) -> Duration {
        guard bytes >= Self.shortestBody else { return timeout }
        var limit = timeout
        for _ in 0..<min(misses, Self.mostDoublings) where limit < Self.longest { limit = min(limit * 2, Self.longest) }
        return limit
    }

    /// Records that a request was answered.
    package mutating func noteResponse() { misses = 0 }

    /// Records that a request was not answered in time.
    ///
    /// - Returns: Whether the length of the body may be the cause.
    package mutating func noteTimeout(bytes: Int) -> Bool {
        guard bytes >= Self.shortestBody else { return false }
        misses = min(misses + 1, Self.mostDoublings)
        return true
    }
}
#endif
