/// The result of sending a batch.
package struct Attempt: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        /// The destination has the batch, except for some records that it refused.
        case accepted(refused: UInt64)
        /// The batch may be accepted later.
        ///
        /// - Parameter notBefore: The time at which the destination wants the next attempt, ns since 1970.
        case later(notBefore: Int64?)
        /// A smaller batch may be accepted.
        case tooLarge
        /// The destination does not accept the contents.
        case refused
        /// The destination accepts nothing at this address and with these credentials: a wrong token, a wrong path.
        case denied
        /// ``Destination/interrupt()`` was called.
        case interrupted
    }

    package var verdict: Verdict
    /// The result in one line, unless the batch was simply accepted.
    package var reason: String
    /// The number of bytes sent.
    package var bytes: Int
    /// The indexes of the records that were refused, in an accepted batch, if the destination names them.
    package var refused: [Int]
    /// Whether the request timed out and a smaller batch may be faster.
    package var isSlow = false
    /// Whether the destination is still working on an earlier request with the same batch, which it may accept.
    package var isInProgress = false

    package init(_ verdict: Verdict, reason: String = "", bytes: Int = 0, refused: [Int] = []) {
        self.verdict = verdict
        self.reason = reason
        self.bytes = bytes
        self.refused = refused
    }
}
