/// The segments of a spool as they were at one time.
package struct SpoolView: Sendable {
    struct Segment: Sendable {
        let number: UInt64
        /// The number of bytes written.
        var size: Int64
        /// The time of the newest frame, ns since 1970.
        var newest: Int64
        /// Whether the records missing before it are in the ledger.
        var isAfterDrop = false
    }

    let directory: String
    /// In order; the last one is being written.
    var segments: [Segment]
    /// The position at which to start.
    package var cursor: SpoolCursor

    /// The number of bytes of the segments.
    var bytes: Int64 { segments.reduce(0) { $0 + $1.size } }

    /// The offset of the next frame in the last segment.
    var nextOffset: Int64 { ((segments.last?.size ?? 0) + 15) & ~15 }

    /// The end of the last segment.
    package var end: SpoolPosition {
        segments.last.map { SpoolPosition(segment: $0.number, offset: $0.size) } ?? SpoolPosition()
    }

    /// The number of bytes to be sent.
    var pendingBytes: Int64 {
        var bytes: Int64 = 0
        for segment in segments.reversed() {
            guard segment.number >= cursor.position.segment else { break }
            bytes +=
                segment.number == cursor.position.segment ? max(0, segment.size - cursor.position.offset) : segment.size
        }
        return bytes
    }

    /// Treats a gap after the batch in flight as segments that were dropped because the spool was full: drops start
    /// there.
    mutating func noteDropsAfterFlying() {
        guard let flying = cursor.flying, segments.contains(where: { $0.number == flying.segment }),
            let index = segments.firstIndex(where: { $0.number > flying.segment })
        else { return }
        segments[index].isAfterDrop = true
    }

    /// Whether everything is delivered.
    var isResolved: Bool {
        guard let last = segments.last else { return true }
        return cursor.flying == nil && cursor.position.segment == last.number && cursor.position.offset >= last.size
    }

    /// Returns whether the batch in flight is in a segment.
    func isPinned(_ number: UInt64) -> Bool {
        guard let end = cursor.flying else { return false }
        return (cursor.position.segment...max(cursor.position.segment, end.segment)).contains(number)
    }

    /// The oldest segment that may be dropped: not the last one, and none that contains the batch in flight.
    var droppable: Segment? { segments.dropLast().first { !isPinned($0.number) } }
}
