#if HTTP
public import Taffrail
internal import TaffrailDelivery
public import TaffrailGeo

/// Sends the position of the device according to its policy: often while it moves, rarely at home and at night.
///
/// For each batch with positions, the pings, the state of the policy, and the offset in the queue are stored in one
/// write, so that a kill neither duplicates nor shifts pings. A separate thread sends them from the spool. Add the
/// ``input`` to the pipeline too, as a configuration does: it logs the attempts, runs the commands, reads the battery,
/// repeats pings while no positions arrive, and reopens a source on demand after a stop, or after the spool could not
/// be opened.
public final class AdaptivePingerSink: Sink {
    /// The instance's name.
    public let name: String
    private let options: AdaptivePingerOptions
    private let instance: PluginInstance
    private let spool: SpoolOptions
    private let feed: LocationFeed
    private let battery: @Sendable () -> BatteryState?
    private let clock: UploadClock
    private(set) var pinger: Pinger

    /// Creates a sink; its spool is opened when it is attached.
    ///
    /// - Parameter feed: The feed from which positions are requested. Default: the feed of the program's inputs.
    public convenience init(
        _ options: AdaptivePingerOptions, instance: PluginInstance, feed: LocationFeed = .shared
    ) {
        self.init(options, instance: instance, feed: feed, home: .shared, battery: { BatteryReader().read() })
    }

    init(
        _ options: AdaptivePingerOptions, instance: PluginInstance, feed: LocationFeed, home: Home,
        battery: @escaping @Sendable () -> BatteryState?, clock: UploadClock = UploadClock()
    ) {
        self.options = options
        self.instance = instance
        self.feed = feed
        self.battery = battery
        self.clock = clock
        name = instance.name
        spool = options.resolvedSpool(of: instance)
        pinger = Pinger(options, instance: instance, feed: feed, home: home, battery: battery, clock: clock)
    }

    /// The input that logs the attempts with the logger `pinger`, and runs the commands of `taffrail pinger`.
    public var input: any Input { AdaptivePingerInput(options, instance: instance) }

    /// The directory of the spool, and the receiver of pings with the device.
    public var destinations: [String] { [spool.directory, options.track] }

    /// The `.taffrail` that contains the spool, or one in the spool.
    public var stateDirectory: String? {
        try? Directory.create(spool.stateDirectory)
        return spool.stateDirectory
    }

    /// Sets the book for losses and the status, starts sending the pings of earlier runs, and requests positions.
    public func attach(_ book: SinkBook) { pinger.attach(book) }

    /// Opens the spool.
    public func openDestination() throws(SinkError) { try pinger.open() }

    /// Evaluates the positions of a batch, and appends pings to the spool.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) { try pinger.write(batch) }

    /// Makes the spool survive power loss. Does not wait for the receiver.
    public func flush() throws(SinkError) { try pinger.upload.spool.flush() }

    /// Sends remaining pings for a short time, if the receiver responds; the next run sends the rest.
    public func close() throws(SinkError) {
        pinger.detach()
        try pinger.upload.close(drain: options.drain)
        try? Directory.synchronize(spool.directory)
    }

    /// In a forked child: starts without the parent's spool, which it can open when the parent ends; until then its
    /// queue keeps the records.
    public func reopen() throws(SinkError) {
        guard pinger.upload.isOfParent else { return }
        // Threads and locks of the parent do not exist in the child.
        _ = Unmanaged.passRetained(pinger)
        pinger = Pinger(options, instance: instance, feed: feed, home: pinger.home, battery: battery, clock: clock)
    }

    /// Does nothing: a spool has its own segments.
    public func rotate() throws(SinkError) {}

    /// Returns the position in the queue that is stored in the spool.
    public func position(in ring: RingID) -> UInt64? { pinger.upload.position(in: ring) }
}
#endif
