/// A destination of records.
///
/// The writer thread calls a sink, one call at a time, in the records' order; a sink therefore needs no lock
/// for what only these methods touch. Every call may block for as long as a local disk takes; what can stall
/// longer (a network) takes the batch into a spool of its own and returns.
///
/// The contract, shown by `SinkRule.all` in TaffrailTesting:
/// - `write` returned: every record of the batch survives SIGKILL of this process.
/// - `flush` returned: everything written so far survives power loss.
/// - `close` includes `flush`, and no call follows it.
/// - A throw says truly how many records were taken. What was not taken is offered again.
/// - After a throw of kind ``SinkError/Kind/temporary`` the sink goes on when its destination is back, without
///   being told; nothing is lost or doubled.
///
/// A sink that keeps failing is set aside when half the queue waits for it while others go on: it is reported, tried
/// again from time to time, and what it misses is counted. Until then nothing is lost; `flush` and `shutdown` return
/// `false`, and what the sink has not got stays in the queue's file for the next run.
public protocol Sink: AnyObject, SendableMetatype {
    /// The name under which the queue keeps this sink's position, stable from run to run and unique within a
    /// pipeline. Default: the type's name.
    var name: String { get }

    /// Where it writes, such as a file's absolute path: the same text in every run. A pipeline refuses two sinks with a
    /// destination in common, and a run's records are recovered by destination. Default: none, and the name counts.
    var destinations: [String] { get }

    /// How long it may fail while other sinks go on before the queue stops waiting for it. Default `nil`: as long as
    /// the queue has room.
    var patience: Duration? { get }

    /// The directory, absolute, in which it keeps what outlives a run; made by this property where it is missing. The
    /// queue's ring lies in that of the first sink that has one, log files first. Default `nil`: it keeps nothing.
    var stateDirectory: String? { get }

    /// Opens its destination, if that is not open. Called when a configuration changes, before the first batch: one whose
    /// sink throws is refused. Otherwise `write` opens it. Default: nothing.
    func openDestination() throws(SinkError)

    /// Hands over the book in which the sink notes what it loses after `write` has returned. Called on the thread
    /// that attaches the sink, before any other call but ``position(in:)``. Default: nothing.
    func attach(_ book: SinkBook)

    /// Takes a batch, which is never empty while the writer calls. The views it hands out are good only
    /// during the call.
    func write(_ batch: borrowing RecordBatch) throws(SinkError)

    /// Makes everything written so far survive power loss. Default: nothing.
    func flush() throws(SinkError)

    /// Releases what the sink holds. Called once; no call follows. Default: ``flush()``.
    func close() throws(SinkError)

    /// Opens its destination anew: in a forked child before its first record (what the parent had open is still
    /// shared with it) and when the program is told to reopen its files. Default: nothing.
    func reopen() throws(SinkError)

    /// Begins a new file, or whatever the destination has of the kind, when the program is told to rotate its logs.
    /// Default: ``reopen()``.
    func rotate() throws(SinkError)

    /// The position up to which this sink has the records of a ring, for sinks that store it together with
    /// their data (a database, a spool) and are thereby exactly-once. Called when the ring is attached.
    /// Default `nil`: the position in the ring's header counts.
    func position(in ring: RingID) -> UInt64?
}

extension Sink {
    /// The type's name.
    public var name: String { "\(type(of: self))" }

    /// None.
    public var destinations: [String] { [] }

    /// `nil`: as long as the queue has room.
    public var patience: Duration? { nil }

    /// `nil`: it keeps nothing.
    public var stateDirectory: String? { nil }

    /// Does nothing.
    public func openDestination() throws(SinkError) {}

    /// Does nothing.
    public func attach(_ book: SinkBook) {}

    /// Does nothing.
    public func flush() throws(SinkError) {}

    /// Flushes.
    public func close() throws(SinkError) { try flush() }

    /// Does nothing.
    public func reopen() throws(SinkError) {}

    /// Opens its destination anew.
    public func rotate() throws(SinkError) { try reopen() }

    /// `nil`: the position in the ring's header counts.
    public func position(in ring: RingID) -> UInt64? { nil }
}
