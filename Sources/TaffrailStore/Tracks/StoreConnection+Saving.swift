#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailText

extension StoreConnection {
    /// Saves points in one transaction, with the position of their run.
    ///
    /// - Parameter ends: For each point, the ring's position after its record; points that the store already has are
    ///   skipped.
    func save(_ points: [TrackPoint], ends: [UInt64]?, mark: RingMark?, now: Timestamp) throws -> TrackStore.Saved {
        let milliseconds = now.milliseconds()
        let (saved, first, last) = try transaction { db in
            let stored = try mark.flatMap { try Self.position(of: $0.run, db) }
            var inserter = try PointInserter(db, self)
            for (index, point) in points.enumerated() {
                if let stored, let ends, index < ends.count, ends[index] <= stored { continue }
                try inserter.insert(point, now: milliseconds)
            }
            try inserter.finish()
            if let mark, mark.position > stored ?? 0 { try keep(mark, db) }
            return (inserter.saved, inserter.first, inserter.last)
        }
        isDirty = true
        if saved.inserted > 0 {
            self.points += Int64(saved.inserted)
            oldest = min(oldest ?? first, first)
            newest = max(newest ?? last, last)
        }
        return saved
    }
}
#endif
