#if Store
package import Taffrail
public import TaffrailGeo

/// Saves positions directly, and maintains the history: the shape of an application's persistence layer over a
/// ``TrackStore``.
///
/// Any thread; a call blocks during disk operations. A failure is reported; the call then returns `false`, nothing or
/// 0.
public final class PersistenceService: Sendable {
    /// The retention policy.
    public struct Policy: Sendable, Hashable {
        /// The number of points above which a save deletes old ones; `nil`: never. Default 1,000.
        public var purgeAbove: Int? = 1_000
        /// The age in days above which points are deleted. Default 30.
        public var days = 30
        /// The time from a ``PersistenceService/flush(task:)`` until the next one is due. Default a day.
        public var flushInterval = Duration.seconds(86_400)

        /// The default policy.
        public init() {}
    }

    /// The service of the program, with the store at ``TrackStore/defaultPath``.
    public static let shared = PersistenceService()

    /// The store.
    public let container: TrackStore
    /// The retention policy.
    public let policy: Policy
    /// The device that moves; `nil`: the receiver named by a location.
    public let device: String?
    /// The ``TrackPoint/session`` of the points that this object saves: the time of its creation.
    public let session: String
    private let scheduler: BackgroundTaskScheduler
    private let clock: @Sendable () -> Timestamp
    private let nextPurge = Locked(Int64.min)

    /// Creates a service for a store.
    public convenience init(
        container: TrackStore = .at(TrackStore.defaultPath), policy: Policy = Policy(), device: String? = nil,
        scheduler: BackgroundTaskScheduler = .shared
    ) {
        self.init(container: container, policy: policy, device: device, scheduler: scheduler, clock: { .now })
    }

    package init(
        container: TrackStore, policy: Policy = Policy(), device: String? = nil,
        scheduler: BackgroundTaskScheduler = .shared, clock: @escaping @Sendable () -> Timestamp
    ) {
        self.container = container
        self.policy = policy
        self.device = device
        self.scheduler = scheduler
        self.clock = clock
        session = "\(Environment.program) \(clock())"
    }

    /// Saves a position, which then survives SIGKILL.
    ///
    /// - Returns: Whether it is in the store.
    @discardableResult
    public func save(trackPoint location: Location) -> Bool {
        let now = clock()
        guard let point = TrackPoint(location, device: device, session: session, received: now) else { return false }
        let isSaved = attempt { () throws(StoreError) in try container.save([point]) } != nil
        if isSaved { purgeIfLarge(now) }
        return isSaved
    }

    /// Returns the newest points, the newest first.
    public func fetch(limit: Int = 100) -> [TrackPoint] {
        read { (reader) throws(StoreError) in try reader.points(.newest(max(0, limit))) } ?? []
    }

    /// Deletes points that are older than some days.
    ///
    /// - Returns: The number of deleted points.
    @discardableResult
    public func purge(olderThan days: Int) -> Int { purge(olderThan: days) { false } ?? 0 }

    /// Deletes all points.
    ///
    /// - Returns: Whether it succeeded.
    @discardableResult
    public func deleteAll() -> Bool { attempt { () throws(StoreError) in try container.clear() } != nil }

    /// Returns the number of points.
    public func getTotalCount() -> Int { read { (reader) throws(StoreError) in try reader.count() } ?? 0 }

    /// Returns the point with the earliest time.
    public func getOldestRecord() -> TrackPoint? { read { (reader) throws(StoreError) in try reader.oldest() } ?? nil }

    /// Returns the point with the latest time.
    public func getNewestRecord() -> TrackPoint? { read { (reader) throws(StoreError) in try reader.newest() } ?? nil }

    /// Runs a background task: deletes old points, divides the remaining points into visits and trips, makes them
    /// survive power loss, completes the task, and submits the next one. A task that expires is completed without
    /// success, after the current transaction.
    public func flush(task: BackgroundTask) {
        let isExpired = Locked(false)
        task.expirationHandler = { isExpired.withLock { $0 = true } }
        let days = policy.days
        let purged = purge(olderThan: days) { isExpired.withLock { $0 } }
        let isFlushed =
            attempt { () throws(StoreError) -> Void in
                try container.analyse { isExpired.withLock { $0 } }
                try container.flush()
            } != nil
        task.setTaskCompleted(success: purged != nil && isFlushed && !isExpired.withLock { $0 })
        scheduler.submit(task.identifier, after: policy.flushInterval)
    }

    private func purge(olderThan days: Int, isCancelled: () -> Bool) -> Int? {
        let age = Duration.seconds(max(0, min(days, 100_000)) * 86_400)
        let time = Timestamp(nanoseconds: clock().nanoseconds &- age.nanoseconds)
        return attempt { () throws(StoreError) in try container.purge(before: time, isCancelled: isCancelled) }
    }

    /// Deletes old points at most once an hour: in a store with many recent points, a purge at each save would delete
    /// nothing.
    private func purgeIfLarge(_ now: Timestamp) {
        guard let limit = policy.purgeAbove, container.facts.rows > limit else { return }
        let isDue = nextPurge.withLock { next in
            // If the clock was ahead, the purge must not wait until it reaches that time again.
            let hour: Int64 = 3_600_000_000_000
            guard now.nanoseconds >= next || now.nanoseconds < next &- hour else { return false }
            next = now.nanoseconds &+ hour
            return true
        }
        if isDue { purge(olderThan: policy.days) }
    }

    private func read<R>(_ body: (StoreReader) throws(StoreError) -> R) -> R? {
        guard FileName.exists(container.path) else { return nil }
        return attempt { () throws(StoreError) in try body(StoreReader(container.path)) }
    }

    private func attempt<R>(_ body: () throws(StoreError) -> R) -> R? {
        do throws(StoreError) { return try body() } catch {
            Diagnostics.report("location store: \(error)")
            return nil
        }
    }
}
#endif
