internal import Taffrail

/// The last pings, as JSON. Kept in memory only.
final class RecentPings: Sendable {
    /// The maximum number of pings.
    static let limit = 100

    private let kept = Locked<[[UInt8]]>([])

    /// Adds a ping, and removes the oldest one beyond the limit.
    func add(_ ping: [UInt8]) {
        kept.withLock { kept in
            if kept.count == Self.limit { kept.removeFirst() }
            kept.append(ping)
        }
    }

    /// Returns the last pings as a JSON array, newest first.
    func json(limit: Int) -> [UInt8] {
        let pings = kept.withLock { $0 }
        return Array("[".utf8) + Array(pings.suffix(limit).reversed().joined(separator: Array(",".utf8)))
            + Array("]".utf8)
    }
}
