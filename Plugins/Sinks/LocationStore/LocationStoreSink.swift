#if Store
public import Taffrail
internal import TaffrailGeo
internal import TaffrailStore

/// Saves positions in a store, each fix once.
///
/// A batch and the offset in the queue after it are saved in one transaction, so that a crash neither loses nor
/// duplicates positions. Records that are not positions are skipped.
public final class LocationStoreSink: Sink {
    private let options: LocationStoreOptions
    private let destination: StoreDestination<TrackStore>
    /// Requests all positions while the sink is in use.
    private var demand: LocationFeed.Subscription?

    /// The durations and intervals of the sink.
    struct Timing {
        /// How long opening waits for a store that another process uses.
        var opening = Duration.seconds(5)
        /// The interval at which data beyond the limits is deleted.
        var retention = Duration.hours(1)
        /// The interval at which visits and trips are detected.
        var analysis = Duration.minutes(1)
    }

    /// Creates a sink; the first position opens the store.
    public convenience init(_ options: LocationStoreOptions, name: String = "location-store") {
        self.init(options, name: name, timing: Timing())
    }

    init(_ options: LocationStoreOptions, name: String = "location-store", timing: Timing) {
        self.options = options
        let keep = options.keep
        destination = StoreDestination(name, at: options.path, of: "positions", openingLimit: timing.opening) { store in
            var jobs = [
                StoreMaintenance.Job(every: timing.analysis, after: timing.analysis) {
                    try store.tidyIfOpen(isCancelled: $0)
                }
            ]
            if !keep.keepsAll {
                jobs.append(.init(every: timing.retention) { try store.maintain(keep, isCancelled: $0) })
            }
            return jobs
        }
    }

    /// The name under which the queue stores this sink's position.
    public var name: String { destination.name }

    /// The path of the database.
    public var destinations: [String] { [destination.path] }

    /// `.taffrail` next to the database.
    public var stateDirectory: String? { destination.stateDirectory }

    /// Opens the store. While another process writes it, the queue keeps the positions.
    public func openDestination() throws(SinkError) { try destination.open() }

    /// Sets the book, whose status file reports the status of the store, and registers for commands: see
    /// ``TaffrailStore/TrackStore/execute(_:)``.
    /// Requests all positions from inputs that are open on demand.
    public func attach(_ book: SinkBook) {
        destination.attach(book)
        if demand == nil { demand = LocationFeed.shared.subscribe(accuracy: -1) }
    }

    /// Saves the positions of a batch: all of them or, after an error, none.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var points: [TrackPoint] = []
        var ends: [UInt64] = []
        batch.forEach { view in
            guard let point = TrackPoint(view, device: options.device, zone: .local) else { return }
            points.append(point)
            ends.append(view.end)
        }
        // The queue stores the position of other records, so batches without positions need no commit.
        guard !points.isEmpty else { return }
        try destination.save(batch) { (store, mark) throws(StoreError) in
            _ = try store.save(points, ends: ends, mark: mark)
        }
    }

    /// Makes everything saved so far survive power loss.
    public func flush() throws(SinkError) { try destination.flush() }

    /// Flushes, and closes the database.
    public func close() throws(SinkError) {
        demand = nil
        try destination.close()
    }

    /// Closes the database; the next position reopens it. A connection inherited by a forked child is left to the
    /// parent.
    public func reopen() throws(SinkError) { try destination.reopen() }

    /// Does nothing: a database has no next file.
    public func rotate() throws(SinkError) {}

    /// Returns the position in the queue that is saved in the store.
    public func position(in ring: RingID) -> UInt64? { destination.position(in: ring) }
}
#endif
