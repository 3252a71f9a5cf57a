/// The last events, of a limited size. Its chunks can still be read after it has changed.
struct LiveEvents: Sendable {
    /// The events since a client's last read.
    struct Part: Sendable {
        var chunks: [LiveChunk] = []
        /// Where to continue reading.
        var end: UInt64
    }

    /// The chunks, in order.
    private(set) var chunks: [LiveChunk] = []
    private var count = 0
    private var bytes = 0
    /// The number after that of the last record that became an event or was missed.
    private(set) var end: UInt64 = 0
    /// Identifies a period in which records are counted without a gap.
    private(set) var epoch: UInt64 = 0

    /// The number of the first record that is kept.
    var oldest: UInt64 { chunks.first?.first ?? end }

    /// Removes all events.
    mutating func removeAll() { (chunks, count, bytes) = ([], 0, 0) }

    /// Begins a period in which records are counted.
    ///
    /// - Parameter next: The number of the next record.
    mutating func begin(_ epoch: UInt64, next: UInt64) {
        removeAll()
        (self.epoch, end) = (epoch, next)
    }

    /// Adds a chunk, and removes the oldest ones beyond the limit, but never the new one.
    ///
    /// - Returns: The removed chunks, to be freed later.
    mutating func add(_ chunk: LiveChunk, most events: Int, bytes limit: Int) -> [LiveChunk] {
        chunks.append(chunk)
        count += chunk.events.count
        bytes += chunk.cost
        end = chunk.end
        var removed = 0
        while removed < chunks.count - 1, count > events || bytes > limit {
            count -= chunks[removed].events.count
            bytes -= chunks[removed].cost
            removed += 1
        }
        defer { chunks.removeFirst(removed) }
        return Array(chunks[..<removed])
    }

    /// Counts records up to a number as missed if they did not become events.
    mutating func advance(to next: UInt64) { end = max(end, next) }

    /// Returns some events, starting at a number.
    func part(from index: UInt64) -> Part {
        let start = position(of: index)
        let part = Array(chunks[start...].prefix(16))
        let isLast = start + part.count == chunks.count
        return Part(chunks: part, end: max(index, isLast ? end : part.last?.end ?? index))
    }

    /// Returns the index of the first chunk that contains the number or a greater one.
    private func position(of number: UInt64) -> Int {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if chunks[middle].end <= number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the position after the last event that a client has received; `nil` if it is unknown.
    func position(after last: String) -> LivePosition? {
        if let position = LivePosition(last) { return position.epoch == epoch ? position : nil }
        guard let id = LiveID(last) else { return nil }
        for chunk in chunks.reversed() {
            guard let event = chunk.events.last(where: { $0.id == id }) else { continue }
            return LivePosition(epoch: epoch, next: event.index &+ 1)
        }
        return nil
    }
}
