/// The delay before the next attempt: it doubles, with jitter, so that many programs do not reconnect at once.
package struct Backoff: Sendable, Hashable {
    private let first: Int64
    private let longest: Int64
    private var next: Int64

    /// - Parameters:
    ///   - first: The first delay, in nanoseconds.
    ///   - longest: The longest delay.
    package init(first: Int64 = 250_000_000, longest: Int64 = 30_000_000_000) {
        self.first = first
        self.longest = longest
        next = first
    }

    /// Resets the delay after a success.
    package mutating func reset() { next = first }

    /// Returns the next delay, in nanoseconds: between half and all of the doubled value.
    package mutating func delay(using generator: inout some RandomNumberGenerator) -> Int64 {
        defer { next = min(next * 2, longest) }
        return Int64.random(in: next / 2...next, using: &generator)
    }

    /// Returns the next delay, in nanoseconds.
    package mutating func delay() -> Int64 {
        var generator = SystemRandomNumberGenerator()
        return delay(using: &generator)
    }
}
