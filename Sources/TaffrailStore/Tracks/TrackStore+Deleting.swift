#if Store
public import Taffrail
internal import TaffrailText

extension TrackStore {
    /// Deletes the points before a time. Runs in transactions of at most an hour's or 20,000 points, between which
    /// others can save. Afterwards the files contain no trace of the deleted points, unless another process is reading
    /// at that time.
    ///
    /// - Parameters:
    ///   - time: The time of the first point to keep.
    ///   - isCancelled: Called after each transaction; points deleted by then stay deleted. Default: never.
    /// - Returns: The number of deleted points.
    @discardableResult
    public func purge(before time: Timestamp, isCancelled: () -> Bool = { false }) throws(StoreError) -> Int {
        let cutoff = time.milliseconds()
        return try purge(isCancelled) { try $0.purgeSome(before: cutoff) }
    }

    /// Deletes the points of a range of time, of one device or of all; visits and trips are found again in the rest.
    /// Otherwise the same as ``purge(before:isCancelled:)``.
    ///
    /// - Parameters:
    ///   - since: The time of the first point to delete; `nil`: the time of the first point.
    ///   - until: The exclusive end of the range.
    ///   - device: Only points of this device; `nil`: of all devices.
    ///   - isCancelled: Called after each transaction; points deleted by then stay deleted. Default: never.
    /// - Returns: The number of deleted points.
    @discardableResult
    public func purge(
        since: Timestamp?, until: Timestamp, device: String?, isCancelled: () -> Bool = { false }
    ) throws(StoreError) -> Int {
        guard since != nil || device != nil else { return try purge(before: until, isCancelled: isCancelled) }
        let (lower, upper) = (since?.milliseconds() ?? .min, until.milliseconds())
        return try purge(isCancelled) { try $0.purgeSome(of: device, in: lower..<max(lower, upper)) }
    }

    /// Repeats a transaction until it deletes nothing more, and removes all traces of the points; of those of earlier
    /// deletions, too, if it deletes nothing at all.
    private func purge(
        _ isCancelled: () -> Bool, _ purgeSome: (StoreConnection) throws -> Int
    ) throws(StoreError) -> Int {
        guard FileName.exists(path) else { return 0 }
        var deleted = 0
        while !isCancelled() {
            let some = try withConnection(purgeSome)
            guard some > 0 else { break }
            deleted += some
        }
        if deleted > 0 { try erase(isCancelled: isCancelled) } else { try withConnection { try $0.eraseLog() } }
        return deleted
    }

    /// Deletes all points. Afterwards the files contain no trace of them, unless another process is reading at that
    /// time.
    ///
    /// - Returns: The number of deleted points.
    @discardableResult
    public func clear() throws(StoreError) -> Int {
        guard FileName.exists(path) else { return 0 }
        let deleted = try withConnection { try $0.deleteAll() }
        try erase()
        return deleted
    }

    /// Whether the log of the open database contains no trace of the points last deleted; `false` while another process
    /// reads them.
    package var isErased: Bool { (try? withOpenConnection { !$0.logHasDeleted }) ?? true }

    /// Removes all traces of deleted data from the files, and returns its space to the file system, in transactions of
    /// some megabytes.
    ///
    /// - Parameter isCancelled: Called after each transaction; the next deletion returns the rest of the space.
    func erase(isCancelled: () -> Bool = { false }) throws(StoreError) {
        try withConnection { try $0.rebuildBoxes() }
        while try withConnection({ try $0.vacuumSome() }), !isCancelled() {}
        _ = try withConnection { try $0.emptyLog() }
    }
}
#endif
