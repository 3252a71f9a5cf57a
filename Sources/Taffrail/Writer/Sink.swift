/// A destination of records.
///
/// The writer thread calls a sink, one call at a time, in the order of the records; state that only these methods use
/// needs no lock. A call may block for as long as a local disk takes. A sink that can stall longer (a network) must
/// spool the batch and return.
///
/// The contract, checked by `SinkRule.all` in TaffrailTesting:
/// - When `write` returns, every record of the batch survives SIGKILL of this process.
/// - When `flush` returns, everything written so far survives power loss.
/// - `close` includes `flush`; no call follows it.
/// - A thrown error contains the exact number of records taken. The rest is offered again.
/// - After an error of kind ``SinkError/Kind/temporary`` the sink works again as soon as its destination does, without
///   being notified; nothing is lost or duplicated.
///
/// A sink that keeps failing is detached when half the queue waits for it while other sinks work: this is reported, the
/// sink is retried from time to time, and the records it misses are counted. Until then nothing is lost; `flush` and
/// `shutdown` return `false`, and records that the sink does not have stay in the queue's file for the next run.
public protocol Sink: AnyObject, SendableMetatype {
    /// The name under which the queue stores this sink's position, the same in every run and unique within a pipeline.
    /// Default: the type's name.
    var name: String { get }

    /// Where it writes, such as a file's absolute path: the same string in every run. A pipeline refuses two sinks with
    /// a common destination, and a run's records are recovered by destination. Default: none; recovery uses the name.
    var destinations: [String] { get }

    /// How long it may fail, while other sinks work, before the queue stops waiting for it. Default `nil`: as long as
    /// the queue has room.
    var patience: Duration? { get }

    /// The absolute path of the directory for state that outlives a run; created by this property if missing. The
    /// queue's ring is in that of the first sink that has one, log files first. Default `nil`: no such state.
    var stateDirectory: String? { get }

    /// The log file that it writes, if it does: the queue's ring is next to it, and ``Logger/getLogContents()`` reads it.
    /// Default `nil`.
    var logFile: LogFile? { get }

    /// Opens the destination, if it is not open. Called when a configuration changes, before the first batch; if it
    /// throws, the change is refused. Otherwise `write` opens it. Default: does nothing.
    func openDestination() throws(SinkError)

    /// Passes the book in which the sink records losses after `write` has returned. Called on the thread that
    /// attaches the sink, before any other call but ``position(in:)``. Default: does nothing.
    func attach(_ book: SinkBook)

    /// Writes a batch, which is never empty when the writer calls. The views are valid only during the call.
    func write(_ batch: borrowing RecordBatch) throws(SinkError)

    /// Makes everything written so far survive power loss. Default: does nothing.
    func flush() throws(SinkError)

    /// Releases resources. Called once; no call follows. Default: ``flush()``.
    func close() throws(SinkError)

    /// Releases resources at the end of a pipeline, instead of ``close()``: work that the next run can do ends within a
    /// time limit. Default: ``close()``.
    func close(within limit: Duration) throws(SinkError)

    /// Reopens the destination: in a forked child before its first record (files opened by the parent are shared with
    /// it), and on ``Pipeline/reopen()``. Default: does nothing.
    func reopen() throws(SinkError)

    /// Starts a new file, or the equivalent, on ``Pipeline/rotate()``. Default: ``reopen()``.
    func rotate() throws(SinkError)

    /// Returns the position up to which this sink has the records of a ring, for exactly-once sinks that store it with
    /// their data (a database, a spool). Called when the ring is attached. Default `nil`: the position in the ring's
    /// header is used.
    func position(in ring: RingID) -> UInt64?
}

extension Sink {
    /// The type's name.
    public var name: String { "\(type(of: self))" }

    /// None.
    public var destinations: [String] { [] }

    /// `nil`: as long as the queue has room.
    public var patience: Duration? { nil }

    /// `nil`: no state.
    public var stateDirectory: String? { nil }

    /// `nil`: no log file.
    public var logFile: LogFile? { nil }

    /// Does nothing.
    public func openDestination() throws(SinkError) {}

    /// Does nothing.
    public func attach(_ book: SinkBook) {}

    /// Does nothing.
    public func flush() throws(SinkError) {}

    /// Flushes.
    public func close() throws(SinkError) { try flush() }

    /// Closes.
    public func close(within limit: Duration) throws(SinkError) { try close() }

    /// Does nothing.
    public func reopen() throws(SinkError) {}

    /// Reopens the destination.
    public func rotate() throws(SinkError) { try reopen() }

    /// Returns `nil`: the position in the ring's header is used.
    public func position(in ring: RingID) -> UInt64? { nil }
}
