#if Store
internal import Taffrail

extension TrackStore {
    /// Divides the points saved since the last call into visits and trips, and flags the points that are part of
    /// neither: see ``TrackPoint/Flags/jump``. Runs in transactions of an hour's or 20,000 points, between which others
    /// can save. Then stores the overviews of past hours. Must not be called on the thread of a sink.
    ///
    /// - Parameter isCancelled: Called after each transaction. Default: never cancelled.
    public func analyse(isCancelled: () -> Bool = { false }) throws(StoreError) {
        guard FileName.exists(path) else { return }
        while !isCancelled() {
            guard try withConnection({ try $0.analyseSome() || $0.overviewSome() }) else { return }
        }
    }

    /// Does the same while the store is open, but does not reopen it. Also removes the rest of deleted points from its
    /// log.
    package func tidyIfOpen(isCancelled: () -> Bool = { false }) throws(StoreError) {
        try ifSaved { () throws(StoreError) in
            while !isCancelled() {
                // `nil` while it is closed.
                let isMore = try withOpenConnection { try $0.analyseSome() || $0.overviewSome() }
                if isMore != true { return isMore == false }
            }
            return false
        }
        guard !isCancelled() else { return }
        _ = try withOpenConnection { try $0.eraseLog() }
    }
}
#endif
