/// Events of consecutive records, which clients read without a lock.
final class LiveChunk: Sendable {
    /// The maximum number of events in a chunk.
    static let size = 256

    /// The events, at least one.
    let events: [LiveEvent]
    /// The approximate memory of all events, in bytes.
    let cost: Int

    init(_ events: [LiveEvent]) {
        self.events = events
        cost = events.reduce(0) { $0 + $1.cost }
    }

    /// The number of the first record.
    var first: UInt64 { events.first?.index ?? 0 }

    /// The number after that of the last record.
    var end: UInt64 { (events.last?.index ?? 0) &+ 1 }
}
