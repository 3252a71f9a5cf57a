internal import Taffrail

/// Which of several receivers counts: the named one, or the one in use until it has been silent for a while.
struct ReceiverChoice: Sendable, Hashable {
    /// The only one that counts; `nil`: any.
    var only: String?
    /// How long the receiver in use must be silent before another one is used.
    var silence = Duration.seconds(60)
    /// The one in use.
    private(set) var used: String?
    /// When it last had a fix, by the time of receipt: the times of fixes may be off by years.
    private(set) var seen: Timestamp?

    /// Continues with the receiver that was in use.
    mutating func restore(_ name: String, seen time: Timestamp?) {
        used = name
        seen = time
    }

    /// Returns whether the receiver in use has been silent long enough for another one to be used.
    func isSilent(at now: Timestamp) -> Bool { seen.map { now - $0 > silence } ?? true }

    /// Returns whether a receiver that has a fix now counts.
    mutating func admits(_ name: String, at now: Timestamp) -> Bool {
        if let only, name != only { return false }
        if only == nil, let used, used != name, let seen {
            // The clock was set back.
            if now < seen { self.seen = now }
            guard isSilent(at: now) else { return false }
        }
        used = name
        seen = now
        return true
    }
}
