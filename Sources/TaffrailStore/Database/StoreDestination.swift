#if Store
package import Taffrail

/// The common part of the sinks of all stores: they open, flush and close the store, report its status, handle its
/// commands, and maintain it. Not thread-safe: it belongs to a sink.
package final class StoreDestination<Store: SinkStore> {
    /// The name of the sink.
    package let name: String
    /// The path of the database.
    package let path: String
    private var store: Store
    private let contents: String
    private let openingLimit: Duration
    private let jobs: (Store) -> [StoreMaintenance.Job]
    private var book = SinkBook.none
    private var registration: ControlCommand.Registration?
    private var maintenance: StoreMaintenance?

    /// - Parameters:
    ///   - name: The name of the sink.
    ///   - path: The path of the database, as configured.
    ///   - contents: The contents of the store, for messages.
    ///   - limit: How long opening waits for a store that another process uses.
    ///   - jobs: The maintenance of the store.
    package init(
        _ name: String, at path: String, of contents: String, openingLimit limit: Duration = .seconds(5),
        jobs: @escaping (Store) -> [StoreMaintenance.Job]
    ) {
        self.name = name
        self.path = DestinationPath.resolved(path)
        self.contents = contents
        openingLimit = limit
        self.jobs = jobs
        store = Store.at(self.path)
    }

    /// `.taffrail` next to the database.
    package var stateDirectory: String? {
        let directory = (Directory.parent(of: path) ?? ".") + "/.taffrail"
        try? Directory.create(directory)
        return directory
    }

    /// Opens the store. While another process writes the store, the queue keeps the records.
    package func open() throws(SinkError) {
        do throws(StoreError) { try store.open(waiting: openingLimit) } catch {
            guard error.kind == .busy else { throw .temporary("cannot open: \(error)") }
            Diagnostics.report("\(name): \(error); \(contents) stay in the queue until it is free")
        }
        startMaintenance()
    }

    /// Stores the book, whose status file reports the status of the store, and registers for the commands of the store.
    package func attach(_ book: SinkBook) {
        self.book = book
        let path = path
        // Programs with a control socket use the shared pipeline.
        registration = Pipeline.shared.handleCommands(for: name) { try Store.at(path).execute($0) }
    }

    /// Saves the contents of a batch, with the position of the queue after it: all or, after an error, none.
    package func save(
        _ batch: borrowing RecordBatch, _ body: (Store, RingMark) throws(StoreError) -> Void
    ) throws(SinkError) {
        do throws(StoreError) { try body(store, batch.mark) } catch {
            throw .temporary("cannot save \(contents): \(error)")
        }
        book.status?.publish(store.status)
        startMaintenance()
    }

    /// Starts to maintain the store, if there are jobs.
    private func startMaintenance() {
        guard maintenance == nil else { return }
        let jobs = jobs(store)
        if !jobs.isEmpty { maintenance = StoreMaintenance(name, jobs) }
    }

    /// Makes everything saved so far survive power loss.
    ///
    /// - Throws: A temporary error, or a permanent one after the system has failed to write a part of the store to the disk,
    ///   until the store is closed.
    package func flush() throws(SinkError) {
        do throws(StoreError) { try store.flush() } catch {
            throw SinkError(error.isLost ? .permanent : .temporary, reason: "cannot flush: \(error)")
        }
    }

    /// Flushes, and closes the database.
    package func close() throws(SinkError) {
        registration?.end()
        maintenance?.stop()
        maintenance = nil
        book.status?.publish(store.status, isFinal: true)
        try closeStore()
    }

    /// Closes the database; the next save opens it. A connection inherited by a forked child is left to the parent.
    package func reopen() throws(SinkError) {
        let current = Store.at(path)
        guard current === store else {
            store = current
            // The maintenance thread belongs to the parent.
            maintenance = nil
            return
        }
        try closeStore()
    }

    private func closeStore() throws(SinkError) {
        do throws(StoreError) { try store.close() } catch {
            throw SinkError(error.isLost ? .permanent : .temporary, reason: "cannot close: \(error)")
        }
    }

    /// Returns the position that is saved in the store.
    package func position(in ring: RingID) -> UInt64? { store.position(in: ring) }
}
#endif
