internal import Taffrail

/// The delay before the next attempt: it doubles, with jitter, so that many programs do not reconnect at once.
package struct Backoff: Sendable, Hashable {
    /// In nanoseconds, like the other delays.
    private let first: Int64
    private let longest: Int64
    private var next: Int64

    /// - Parameters:
    ///   - first: The first delay.
    ///   - longest: The longest delay.
    package init(first: Duration = .milliseconds(250), longest: Duration = .seconds(30)) {
        self.first = first.nanoseconds
        self.longest = longest.nanoseconds
        next = self.first
    }

    /// Resets the delay after a success.
    package mutating func reset() { next = first }

    /// Returns the next delay: between half and all of the doubled value.
    package mutating func delay(using generator: inout some RandomNumberGenerator) -> Duration {
        defer { next = min(next * 2, longest) }
        return .nanoseconds(Int64.random(in: next / 2...next, using: &generator))
    }

    /// Returns the next delay.
    package mutating func delay() -> Duration {
        var generator = SystemRandomNumberGenerator()
        return delay(using: &generator)
    }
}
