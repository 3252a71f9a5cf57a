#if Store
public import Taffrail

extension TrackStore {
    /// Deletes the points before a time. This takes transactions of at most an hour's or 20,000 points, between which
    /// others can save. Afterwards no trace of the deleted points is left in the files, unless another process is
    /// reading at that time.
    ///
    /// - Parameters:
    ///   - time: The time of the first point to keep.
    ///   - isCancelled: Called after each transaction; points deleted by then stay deleted. Default: never.
    /// - Returns: The number of deleted points.
    @discardableResult
    public func purge(before time: Timestamp, isCancelled: () -> Bool = { false }) throws(StoreError) -> Int {
        let cutoff = CivilTime.floorDivide(time.nanoseconds, by: 1_000_000)
        var deleted = 0
        guard FileName.exists(path) else { return 0 }
        while !isCancelled() {
            let some = try withConnection { try $0.purgeSome(before: cutoff) }
            guard some > 0 else { break }
            deleted += some
        }
        if deleted > 0 { _ = try withConnection { try $0.erase() } }
        return deleted
    }

    /// Deletes all points. Afterwards no trace of them is left in the files, unless another process is reading at that
    /// time.
    ///
    /// - Returns: The number of deleted points.
    @discardableResult
    public func clear() throws(StoreError) -> Int {
        guard FileName.exists(path) else { return 0 }
        return try withConnection { connection in
            let deleted = try connection.deleteAll()
            _ = try connection.erase()
            return deleted
        }
    }
}
#endif
