#if Store
public import Taffrail
internal import TaffrailGeo
internal import TaffrailStore

/// Saves positions in a store, each fix once.
///
/// A batch and the queue's position after it are one transaction, so that after a crash nothing is lost or doubled. Records
/// that are no positions are passed over.
public final class LocationStoreSink: Sink {
    /// The name under which the queue stores this sink's position.
    public let name: String
    private let options: LocationStoreOptions
    private let path: String
    /// How long opening waits for a store that another process uses.
    private let openingLimit: Duration
    private var store: TrackStore
    private var book = SinkBook.none
    private var registration: ControlCommand.Registration?
    /// Requests all positions while the sink is in use.
    private var demand: LocationFeed.Subscription?
    /// By the monotonic clock.
    private var nextMaintenance = Int64.min
    private var nextAnalysis: Int64?
    /// Whether old points are being deleted, or visits and trips found.
    private let maintenance = Maintenance()

    private final class Maintenance: Sendable { let isBusy = Locked(false) }

    /// Creates a sink; the first position opens the store.
    public convenience init(_ options: LocationStoreOptions, name: String = "location-store") {
        self.init(options, name: name, openingLimit: .seconds(5))
    }

    init(_ options: LocationStoreOptions, name: String = "location-store", openingLimit: Duration) {
        self.options = options
        self.openingLimit = openingLimit
        self.name = name
        path = DestinationPath.resolved(options.path)
        store = TrackStore.at(path)
    }

    /// The path of the database.
    public var destinations: [String] { [path] }

    /// `.taffrail` beside the database.
    public var stateDirectory: String? {
        let directory = (Directory.parent(of: path) ?? ".") + "/.taffrail"
        try? Directory.create(directory)
        return directory
    }

    /// Opens the store. While another process writes it, the queue keeps the positions.
    public func openDestination() throws(SinkError) {
        do throws(StoreError) { try store.open(waiting: openingLimit) } catch {
            guard error.kind == .busy else { throw .temporary("cannot open: \(error)") }
            Diagnostics.report("\(name): \(error); positions stay in the queue until it is free")
        }
    }

    /// Gets the book, whose status file reports how the store is, and takes commands: see
    /// ``TaffrailStore/TrackStore/carryOut(_:)``.
    /// Requests all positions from inputs that are open on demand.
    public func attach(_ book: SinkBook) {
        self.book = book
        if demand == nil { demand = LocationFeed.shared.subscribe(accuracy: -1) }
        let path = path
        // Programs with a control socket have the shared pipeline.
        registration = Pipeline.shared.handleCommands(for: name) { try TrackStore.at(path).carryOut($0) }
    }

    /// Saves the positions of a batch: all of them or, with an error, none.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var points: [TrackPoint] = []
        var ends: [UInt64] = []
        batch.forEach { view in
            guard let point = TrackPoint(view, device: options.device, zone: .local) else { return }
            points.append(point)
            ends.append(view.end)
        }
        // The position of other records is in the queue: a run of lines alone costs no commit.
        guard !points.isEmpty else { return }
        let mark = RingMark(run: batch.run, position: batch.end, path: batch.ringPath)
        do throws(StoreError) { _ = try store.save(points, ends: ends, mark: mark) } catch {
            throw .temporary("cannot save positions: \(error)")
        }
        book.status?.publish(store.status)
        maintainIfDue()
    }

    /// Deletes once an hour what is beyond the limits, and finds visits and trips once a minute, on a thread of its own.
    private func maintainIfDue() {
        let now = SystemClock.monotonicNanoseconds()
        let isLimited = !options.keep.keepsAll && now >= nextMaintenance
        let isDue = now >= nextAnalysis ?? .max
        if nextAnalysis == nil { nextAnalysis = now &+ 60_000_000_000 }
        guard isLimited || isDue else { return }
        let maintenance = maintenance
        let isFree = maintenance.isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { return }
        let (store, keep) = (store, options.keep)
        nextAnalysis = now &+ 60_000_000_000
        if isLimited { nextMaintenance = now &+ 3_600_000_000_000 }
        let isStarted = DedicatedThread.start {
            defer { maintenance.isBusy.withLock { $0 = false } }
            do throws(StoreError) {
                if isLimited { try store.maintain(keep) } else { try store.analyseIfOpen() }
            } catch {
                Diagnostics.report("the location store cannot be maintained: \(error)")
            }
        }
        if !isStarted { maintenance.isBusy.withLock { $0 = false } }
    }

    /// Makes everything saved so far survive power loss.
    public func flush() throws(SinkError) {
        do throws(StoreError) { try store.flush() } catch { throw .temporary("cannot flush: \(error)") }
    }

    /// Flushes, and closes the database.
    public func close() throws(SinkError) {
        demand = nil
        registration?.end()
        book.status?.publish(store.status, isFinal: true)
        do throws(StoreError) { try store.close() } catch { throw .temporary("cannot close: \(error)") }
    }

    /// Closes the database; the next position opens it. One that a forked child inherited is left to the parent.
    public func reopen() throws(SinkError) {
        let current = TrackStore.at(path)
        guard current === store else {
            store = current
            maintenance.isBusy.withLock { $0 = false }
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
