/// Events of consecutive records, which clients read without a lock.
final class LiveChunk: Sendable {
    /// The most events of a chunk.
    static let size = 256

    /// The events, at least one.
    let events: [LiveEvent]
    /// The memory that all of them use.
    let cost: Int

    init(_ events: [LiveEvent]) {
        self.events = events
        cost = events.reduce(0) { $0 + $1.cost }
    }

    /// The number of the first record.
    var first: UInt64 { events.first?.index ?? 0 }

    /// The number after that of the last one.
    var end: UInt64 { (events.last?.index ?? 0) &+ 1 }
}
