#if Store
internal import GRDB
internal import TaffrailQuery

/// Reads a store, even while another process writes it. Read-only.
///
/// May be called from any thread. A call reads the store in its state at that time. It ends soon after its
/// `QueryBudget`, with an error of kind ``StoreError/Kind/other``; without one, its time is not limited.
public final class StoreReader: Sendable {
    /// The path of the database.
    public let path: String
    private let pool: ReaderPool
    /// Whether the database has tables of visits and trips. A database of an earlier version gets them when it is
    /// opened for writing.
    let hasJourneys: Bool
    /// Whether the database has overviews of blocks.
    let hasOverviews: Bool

    /// Opens a store.
    ///
    /// - Throws: ``StoreError``, of kind ``StoreError/Kind/missing`` if it does not exist.
    public init(_ path: String) throws(StoreError) {
        self.path = path
        let file = StoreFile(path: path, kind: .positions)
        guard try file.exists() else { throw StoreError(.missing, "\(path): no such store") }
        do {
            pool = try ReaderPool(file, count: 3)
            let version = try pool.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            try file.check(version)
            hasJourneys = version >= StoreSchema.journeys
            hasOverviews = version >= StoreSchema.overviews
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Returns the number of points.
    public func count() throws(StoreError) -> Int {
        try read { Int(clamping: try Int64.fetchOne($0, sql: "SELECT sum(points) FROM block") ?? 0) }
    }

    /// Returns the first points that match a query; at most 100 if it has no limit.
    public func points(_ query: TrackQuery) throws(StoreError) -> [TrackPoint] {
        try read { db in
            var walk = try PointQuery(query, hasOverviews: hasOverviews, db)
            return try walk.next(query.limit ?? 100, db)
        }
    }

    /// Returns the point with the earliest time.
    public func oldest() throws(StoreError) -> TrackPoint? {
        var query = TrackQuery()
        query.limit = 1
        return try points(query).first
    }

    /// Returns the point with the latest time.
    public func newest() throws(StoreError) -> TrackPoint? { try points(.newest(1)).first }

    /// Calls a function with every point that matches a query, in its order. The store is read in pages, and not locked
    /// in between: the points may include points added meanwhile.
    ///
    /// - Throws: ``StoreError``, and errors of `body`.
    public func forEach(_ query: TrackQuery, _ body: (TrackPoint) throws -> Void) throws {
        var walk = try read { try PointQuery(query, hasOverviews: hasOverviews, $0) }
        var left = query.limit ?? .max
        while left > 0 {
            let (page, next) = try read { [walk] db in
                var walk = walk
                return (try walk.next(min(4_096, left), db), walk)
            }
            walk = next
            guard !page.isEmpty else { return }
            left -= page.count
            for point in page { try body(point) }
        }
    }

    /// Ends the reading.
    private struct Over: Error {}

    /// Calls a function with the points that match a query, as ``forEach(_:_:)``, until its time has passed.
    ///
    /// - Returns: Whether it was called with all of them.
    /// - Throws: ``StoreError``, also if the time passes before the first point.
    func forEachInTime(_ query: TrackQuery, _ body: (TrackPoint) -> Void) throws(StoreError) -> Bool {
        let budget = QueryBudget.current
        var count = 0
        do {
            try forEach(query) { point in
                count += 1
                if count & 1_023 == 0, budget?.isNearlyOver == true { throw Over() }
                body(point)
            }
            return true
        } catch is Over {
            return false
        } catch {
            let error = StoreError(error, path: path)
            guard error.query != nil, count > 0 else { throw error }
            return false
        }
    }

    func read<R>(_ body: (Database) throws -> R) throws(StoreError) -> R {
        do { return try pool.read(body) } catch { throw StoreError(error, path: path) }
    }
}
#endif
