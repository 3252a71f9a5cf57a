#if Store
public import Taffrail
internal import TaffrailQuery
internal import TaffrailStore

/// Saves records in a store that is indexed by time and words, each record once.
///
/// A batch and the queue's position after it are one transaction, so that after a crash nothing is lost or doubled. Records
/// that were received have the time, device, run and number of their origin.
public final class LogStoreSink: Sink {
    /// The name under which the queue stores this sink's position.
    public let name: String
    private let options: LogStoreOptions
    private let path: String
    private var store: LogStore
    private var book = SinkBook.none
    private var registration: ControlCommand.Registration?
    private var maintenance: LogStoreMaintenance?
    /// How often what is beyond the limits is deleted.
    private let interval: Duration

    /// Creates a sink; the first record opens the store.
    public convenience init(_ options: LogStoreOptions, name: String = "log-store") {
        self.init(options, name: name, interval: .hours(1))
    }

    init(_ options: LogStoreOptions, name: String, interval: Duration) {
        self.interval = interval
        self.options = options
        self.name = name
        path = DestinationPath.resolved(options.path)
        store = LogStore.at(path)
    }

    /// The path of the database.
    public var destinations: [String] { [path] }

    /// `.taffrail` beside the database.
    public var stateDirectory: String? {
        let directory = (Directory.parent(of: path) ?? ".") + "/.taffrail"
        try? Directory.create(directory)
        return directory
    }

    /// Opens the store. While another process writes it, the queue keeps the records.
    public func openDestination() throws(SinkError) {
        do throws(StoreError) { try store.open(waiting: .seconds(5)) } catch {
            guard error.kind == .busy else { throw .temporary("cannot open: \(error)") }
            Diagnostics.report("\(name): \(error); records stay in the queue until it is free")
        }
        startMaintenance()
    }

    /// Gets the book, whose status file reports how the store is, and takes commands: `status`, `purge` and `clear`.
    public func attach(_ book: SinkBook) {
        self.book = book
        let path = path
        // Programs with a control socket have the shared pipeline.
        registration = Pipeline.shared.handleCommands(for: name) { try LogStore.at(path).carryOut($0) }
    }

    /// Saves the records of a batch: all of them or, with an error, none.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var records: [StoredRecord] = []
        var ends: [UInt64] = []
        records.reserveCapacity(batch.count)
        ends.reserveCapacity(batch.count)
        batch.forEach { view in
            records.append(StoredRecord(view, device: options.device, indexed: options.index))
            ends.append(view.end)
        }
        guard !records.isEmpty else { return }
        let mark = RingMark(run: batch.run, position: batch.end, path: batch.ringPath)
        do throws(StoreError) { _ = try store.save(records, ends: ends, mark: mark) } catch {
            throw .temporary("cannot save records: \(error)")
        }
        book.status?.publish(store.status)
        startMaintenance()
    }

    /// Begins to delete what is beyond the limits.
    private func startMaintenance() {
        guard !options.keep.keepsAll, maintenance == nil else { return }
        maintenance = LogStoreMaintenance(store, options.keep, every: interval)
    }

    /// Makes everything saved so far survive power loss.
    public func flush() throws(SinkError) {
        do throws(StoreError) { try store.flush() } catch { throw .temporary("cannot flush: \(error)") }
    }

    /// Flushes, and closes the database.
    public func close() throws(SinkError) {
        registration?.end()
        maintenance?.stop()
        maintenance = nil
        book.status?.publish(store.status, isFinal: true)
        do throws(StoreError) { try store.close() } catch { throw .temporary("cannot close: \(error)") }
    }

    /// Closes the database; the next record opens it. One that a forked child inherited is left to the parent.
    public func reopen() throws(SinkError) {
        let current = LogStore.at(path)
        guard current === store else {
            store = current
            // Its thread is the parent's.
            maintenance = nil
            return
        }
        do throws(StoreError) { try store.close() } catch { throw .temporary("cannot close: \(error)") }
    }

    /// Nothing: a database has no next file.
    public func rotate() throws(SinkError) {}

    /// The position that lies in the store.
    public func position(in ring: RingID) -> UInt64? { store.position(in: ring) }
}
#endif
