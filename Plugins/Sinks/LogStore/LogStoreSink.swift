#if Store
public import Taffrail
internal import TaffrailQuery
internal import TaffrailStore

/// Saves records in a store that is indexed by time and words, each record once.
///
/// A batch and the offset in the queue after it are saved in one transaction, so that a crash neither loses nor
/// duplicates records. Received records are saved with the time, device, run and number of their origin.
public final class LogStoreSink: Sink {
    private let options: LogStoreOptions
    private let destination: StoreDestination<LogStore>

    /// Creates a sink; the first record opens the store.
    public convenience init(_ options: LogStoreOptions, name: String = "log-store") {
        self.init(options, name: name, interval: .hours(1))
    }

    /// - Parameter interval: The interval at which data beyond the limits is deleted.
    init(_ options: LogStoreOptions, name: String, interval: Duration) {
        self.options = options
        let keep = options.keep
        destination = StoreDestination(name, at: options.path, of: "records") { store in
            keep.keepsAll ? [] : [.init(every: interval) { try store.maintain(keep, isCancelled: $0) }]
        }
    }

    /// The name under which the queue stores this sink's position.
    public var name: String { destination.name }

    /// The path of the database.
    public var destinations: [String] { [destination.path] }

    /// `.taffrail` next to the database.
    public var stateDirectory: String? { destination.stateDirectory }

    /// Opens the store. While another process writes it, the queue keeps the records.
    public func openDestination() throws(SinkError) { try destination.open() }

    /// Sets the book, whose status file reports the status of the store, and registers for the commands `status`,
    /// `purge`, `maintain` and `clear`.
    public func attach(_ book: SinkBook) { destination.attach(book) }

    /// Saves the records of a batch: all of them or, after an error, none.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        let (records, ends) = StoredRecord.all(in: batch, device: options.device, indexed: options.index)
        guard !records.isEmpty else { return }
        try destination.save(batch) { (store, mark) throws(StoreError) in
            store.setNameLimit(options.names)
            _ = try store.save(records, ends: ends, mark: mark)
        }
    }

    /// Makes everything saved so far survive power loss.
    public func flush() throws(SinkError) { try destination.flush() }

    /// Flushes, and closes the database.
    public func close() throws(SinkError) { try destination.close() }

    /// Closes the database; the next record reopens it. A connection inherited by a forked child is left to the parent.
    public func reopen() throws(SinkError) { try destination.reopen() }

    /// Does nothing: a database has no next file.
    public func rotate() throws(SinkError) {}

    /// Returns the position in the queue that is saved in the store.
    public func position(in ring: RingID) -> UInt64? { destination.position(in: ring) }
}
#endif
