#if HTTP
public import Taffrail
internal import TaffrailDelivery

/// Sends records to a collector, through a spool.
///
/// The writer thread only appends to the spool, with the offset in the queue in the same write; a separate thread
/// sends the records from the spool, in order, one request at a time. A record is removed when the destination has
/// confirmed it, so that it arrives at least once. Only the batch of a request that was in progress when the program
/// died, or whose response was lost, may arrive twice, with the same `Idempotency-Key`.
public final class HTTPRemoteSink: Sink {
    /// The instance's name.
    public let name: String
    private let options: HTTPRemoteOptions
    private let instance: PluginInstance
    private let spool: SpoolOptions
    private var upload: SpooledUpload
    private var lane: LiveLane?
    private let traffic = SideTraffic()

    /// Creates a sink; its spool is opened when it is attached.
    public init(_ options: HTTPRemoteOptions, instance: PluginInstance) {
        self.options = options
        self.instance = instance
        name = instance.name
        spool = options.resolvedSpool(of: instance)
        upload = Self.upload(options, instance, spool, traffic)
        lane = Self.lane(options, instance, upload.spool, traffic)
    }

    private static func lane(
        _ options: HTTPRemoteOptions, _ instance: PluginInstance, _ spool: Spool, _ traffic: SideTraffic
    ) -> LiveLane? {
        guard options.live else { return nil }
        return LiveLane(
            spool, to: HTTPDestination(options, name: instance.name, program: instance.program),
            interval: max(options.delay, .seconds(1)),
            longestRetry: options.delivery.longestRetry, rate: options.rate?.bytes, traffic: traffic)
    }

    private static func upload(
        _ options: HTTPRemoteOptions, _ instance: PluginInstance, _ spool: SpoolOptions, _ traffic: SideTraffic
    ) -> SpooledUpload {
        SpooledUpload(
            spool,
            UploadOptions(
                delay: options.delay, records: options.batchRecords, bytes: options.batchBytes.bytes,
                longestRetry: options.longestRetry, rate: options.rate?.bytes),
            to: HTTPDestination(options, name: instance.name, program: instance.program, counting: traffic))
    }

    /// The directory of the spool, and the collector.
    public var destinations: [String] { [spool.directory, options.collector] }

    /// The `.taffrail` that contains the spool, or one in the spool.
    public var stateDirectory: String? {
        try? Directory.create(spool.stateDirectory)
        return spool.stateDirectory
    }

    /// Sets the book for losses and the status, and starts sending the records of earlier runs.
    public func attach(_ book: SinkBook) {
        upload.attach(book)
    }

    /// Opens the spool.
    public func openDestination() throws(SinkError) { try upload.open() }

    /// Appends a batch to the spool.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        try upload.append(batch)
        lane?.offer(batch)
    }

    /// Makes the spool survive power loss. Does not wait for the destination.
    public func flush() throws(SinkError) { try upload.spool.flush() }

    /// Sends remaining records for a short time, if the destination responds; the next run sends the rest.
    public func close() throws(SinkError) {
        lane?.stop()
        try upload.close(drain: options.drain)
        try? Directory.synchronize(spool.directory)
    }

    /// In a forked child: starts without the parent's spool, which it can open when the parent ends; until then its
    /// queue keeps the records.
    public func reopen() throws(SinkError) {
        guard upload.isOfParent else { return }
        // Threads and locks of the parent do not exist in the child.
        _ = Unmanaged.passRetained(upload)
        if let lane { _ = Unmanaged.passRetained(lane) }
        upload = Self.upload(options, instance, spool, traffic)
        lane = Self.lane(options, instance, upload.spool, traffic)
    }

    /// Does nothing: a spool has its own segments.
    public func rotate() throws(SinkError) {}

    /// Returns the position in the queue that is stored in the spool.
    public func position(in ring: RingID) -> UInt64? { upload.position(in: ring) }
}
#endif
