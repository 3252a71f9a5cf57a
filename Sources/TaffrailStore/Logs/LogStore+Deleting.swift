#if Store
internal import GRDB
public import Taffrail
public import TaffrailQuery

extension LogStore {
    /// The maximum number of records deleted in one transaction, which a writer may have to wait for.
    private static let chunk = 2_000

    /// Deletes records beyond a retention, and tidies up. Must not be called on the thread of a sink.
    ///
    /// - Parameters:
    ///   - retention: The retention.
    ///   - now: The time from which ages are counted.
    ///   - isCancelled: Called before each transaction; the rest is done in the next call. Default: never.
    /// - Returns: The number of deleted records.
    @discardableResult
    public func maintain(
        _ retention: LogRetention, now: Timestamp = .now, isCancelled: () -> Bool = { false }
    ) throws(StoreError) -> Int {
        guard FileName.exists(path) else { return 0 }
        var deleted = 0
        func cutoff(_ age: Duration) -> Int64 {
            now.nanoseconds.subtractingReportingOverflow(age.nanoseconds).partialValue
        }
        if let age = retention.age {
            let time = cutoff(age)
            deleted += try deleteAll(isCancelled) { try $0.ids(arrivedBefore: time, Self.chunk) }
        }
        deleted += try deleteStreams(retention.streams, cutoff, isCancelled)
        if let size = retention.size { deleted += try shrink(to: Int64(size.bytes), isCancelled) }
        if deleted > 0, !isCancelled() {
            try mergeWords(isWhole: false, isCancelled)
            try tidy(isCancelled)
        } else {
            // The rest of an interrupted deletion.
            while !isCancelled(), try owner.with({ try $0.vacuumSome() }) {}
        }
        guard !isCancelled() else { return deleted }
        try owner.with { connection in
            try connection.eraseLog()
            try connection.optimize()
        }
        return deleted
    }

    /// Deletes the records that arrived before a time and match a selection, and then their traces in the files.
    ///
    /// - Parameters:
    ///   - time: The time of arrival.
    ///   - selection: The records to delete. Default: all.
    ///   - isCancelled: Called before each transaction; records deleted by then stay deleted, but the files may still
    ///     contain parts of them. Default: never.
    @discardableResult
    public func purge(
        before time: Timestamp, _ selection: LogSelection = LogSelection(), isCancelled: () -> Bool = { false }
    ) throws(StoreError) -> LogDeletionResult {
        guard FileName.exists(path) else { return LogDeletionResult(records: 0, isErased: true) }
        let deleted =
            selection.conditions.isEmpty
            ? try deleteAll(isCancelled) { try $0.ids(arrivedBefore: time.nanoseconds, Self.chunk) }
            : try delete(selection, arrivedBefore: time, isCancelled)
        if deleted > 0, !isCancelled() {
            try mergeWords(isWhole: true, isCancelled)
            try tidy(isCancelled)
        }
        guard !isCancelled() else { return LogDeletionResult(records: deleted, isErased: false) }
        // This also removes the rest of an earlier deletion.
        return LogDeletionResult(records: deleted, isErased: try emptyLog())
    }

    /// Deletes all records, and then their traces in the files.
    @discardableResult
    public func clear() throws(StoreError) -> LogDeletionResult {
        guard FileName.exists(path) else { return LogDeletionResult(records: 0, isErased: true) }
        let deleted = try owner.with { try $0.deleteAll() }
        while try owner.with({ try $0.vacuumSome() }) {}
        return LogDeletionResult(records: deleted, isErased: try emptyLog())
    }

    /// Deletes unused names, finds the last records of devices again, and returns free space to the file system, in
    /// transactions between which others can save.
    private func tidy(_ isCancelled: () -> Bool) throws(StoreError) {
        try owner.with { try $0.forgetNames() }
        while !isCancelled(), try owner.with({ try $0.findLastOfStaleDevice() }) {}
        while !isCancelled(), try owner.with({ try $0.vacuumSome() }) {}
    }

    /// Empties the write-ahead log, which contains old pages until no connection reads them.
    ///
    /// - Returns: Whether it was emptied within the time limit for readers of this program.
    private func emptyLog() throws(StoreError) -> Bool {
        let end = SystemClock.monotonicNanoseconds(after: patience)
        while true {
            if try owner.with({ try $0.emptyLog() }) { return true }
            guard SystemClock.monotonicNanoseconds() < end else { return false }
            SystemClock.sleep(for: .milliseconds(20))
        }
    }

    /// Deletes the records found by a function, chunk by chunk.
    private func deleteAll(
        _ isCancelled: () -> Bool, _ find: (LogConnection) throws -> [Int64]
    ) throws(StoreError) -> Int {
        var deleted = 0
        while !isCancelled() {
            let some = try owner.with { connection in
                let ids = try find(connection)
                return ids.isEmpty ? 0 : try connection.delete(ids)
            }
            guard some > 0 else { break }
            deleted += some
        }
        return deleted
    }

    private func delete(_ ids: [Int64], _ isCancelled: () -> Bool = { false }) throws(StoreError) -> Int {
        var deleted = 0
        for start in stride(from: 0, to: ids.count, by: Self.chunk) where !isCancelled() {
            let some = Array(ids[start..<min(ids.count, start + Self.chunk)])
            deleted += try owner.with { try $0.delete(some) }
        }
        return deleted
    }

    /// Deletes the records that match a selection and arrived before a time. A reader finds them, which does not delay
    /// the writer.
    private func delete(
        _ selection: LogSelection, arrivedBefore time: Timestamp, _ isCancelled: () -> Bool
    ) throws(StoreError) -> Int {
        let reader = try LogStoreReader(path)
        var deleted = 0
        var cursor: Int64?
        while true {
            let (ids, next) = try reader.ids(selection, arrivedBefore: time.nanoseconds, after: cursor, Self.chunk)
            deleted += try delete(ids, isCancelled)
            guard let next, !isCancelled() else { return deleted }
            cursor = next
        }
    }

    /// Deletes the records of each stream that have become too old since the last call: they arrived between the two
    /// cutoffs.
    private func deleteStreams(
        _ streams: [LogRetention.Stream], _ cutoff: (Duration) -> Int64, _ isCancelled: () -> Bool
    ) throws(StoreError) -> Int {
        guard !streams.isEmpty else { return 0 }
        let reader = try LogStoreReader(path)
        var deleted = 0
        var ends: [String: Int64] = [:]
        for stream in streams {
            let key = "\(stream.age.nanoseconds) \(stream.selection)"
            let (last, end) = (try owner.with { try $0.end(ofStream: key) }, cutoff(stream.age))
            // If the clock was ahead before, later arrivals have not been examined.
            let start = last <= end ? last : .min
            var cursor: ArrivalScan.Position?
            repeat {
                let found = try reader.ids(stream.selection, arrivedFrom: start, to: end, after: cursor, 50_000)
                deleted += try delete(found.ids)
                cursor = found.next
                if isCancelled() { return deleted }
            } while cursor != nil
            ends[key] = end
        }
        try owner.with { [ends] in try $0.setEnds(ofStreams: ends) }
        return deleted
    }

    /// Deletes the earliest arrivals until the database is at most `bytes` large.
    private func shrink(to bytes: Int64, _ isCancelled: () -> Bool) throws(StoreError) -> Int {
        var deleted = 0
        // The other tables do not shrink with the records: this is repeated with the rest.
        for _ in 0..<4 {
            let (records, used) = try owner.with { ($0.records, try $0.usedBytes()) }
            guard used > bytes, records > 0, !isCancelled() else { break }
            var rest = max(1, records - Int64(Double(records) * Double(bytes) / Double(used)))
            while rest > 0, !isCancelled() {
                let count = Int(min(rest, Int64(Self.chunk)))
                let some = try owner.with { try $0.delete(try $0.oldestIDs(count)) }
                guard some > 0 else { break }
                deleted += some
                rest -= Int64(some)
            }
            try mergeWords(isWhole: false, isCancelled)
        }
        return deleted
    }

    /// Merges the index of words, which contains words of deleted records until its segments are merged.
    ///
    /// - Parameter isWhole: Whether to merge all segments, so that no such words remain.
    private func mergeWords(isWhole: Bool, _ isCancelled: () -> Bool) throws(StoreError) {
        var isFirst = isWhole
        while !isCancelled(), try owner.with({ try $0.mergeWords(isWhole: isFirst) }) { isFirst = false }
    }
}
#endif
