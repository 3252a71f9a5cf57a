/// How the write queue is made and what it does when it is full.
public struct QueueOptions: Sendable, Hashable {
    /// What a log call does when there is no room for its record.
    public enum WhenFull: Sendable, Hashable {
        /// Waits for room, at most ``QueueOptions/blockLimit``; then the record is dropped and counted.
        case block
        /// Drops the new record and counts it. The call never waits.
        case dropNewest
        /// Drops records below the level and waits for the others.
        case dropBelow(Level)
    }

    /// Bytes for records; rounded up to a power of two. Default 8 MiB, range 64 KiB to 1 GiB. The largest record
    /// is a quarter of it.
    public var capacity: Int
    /// Default ``WhenFull/block``.
    public var whenFull: WhenFull
    /// Whether what is queued survives SIGKILL, in a file beside the log. Default `true`. Without a file sink, or
    /// where the file cannot be made, the queue lies in memory.
    public var durable: Bool
    /// How long a call waits for room. Default 5 s, range 0 to 1 h. When it is over the writer counts
    /// as stuck and no call waits until it goes on.
    public var blockLimit: Duration
    /// From this level on a record wakes the writer and is made to survive power loss at once, without the
    /// caller waiting for it. Default ``Level/error``; `nil` turns it off.
    public var flushLevel: Level?
    /// Whether SIGTERM and SIGINT drain the queue before the program dies of them, after 2 s at most. Only where their
    /// disposition is the default one; as PID 1, which the kernel protects from them, the program goes on. Default `true`.
    public var handleSignals: Bool
    /// The directory of the ring's file. Default `nil`: `.taffrail` beside the first file sink's log; where there is no
    /// file sink, in the folder of the first recorder.
    public var directory: String?

    /// Makes options; each has the default that its property tells.
    public init(
        capacity: Int = 8 << 20, whenFull: WhenFull = .block, durable: Bool = true, blockLimit: Duration = .seconds(5),
        flushLevel: Level? = .error, handleSignals: Bool = true, directory: String? = nil
    ) {
        self.capacity = capacity
        self.whenFull = whenFull
        self.durable = durable
        self.blockLimit = blockLimit
        self.flushLevel = flushLevel
        self.handleSignals = handleSignals
        self.directory = directory
    }

    /// The capacity that is used: in range and a power of two.
    var usedCapacity: Int {
        let wanted = min(max(capacity, 64 << 10), 1 << 30)
        return 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount)
    }

    /// What a log call needs to know of the options.
    var limits: QueueLimits {
        QueueLimits(
            largestRecord: usedCapacity / 4, blockNanoseconds: min(blockLimit, .seconds(3600)).nanoseconds,
            whenFull: whenFull)
    }
}

/// The part of the options that a log call needs; plain bits, so that no call counts references.
struct QueueLimits: Sendable {
    /// What one record may take at most, in bytes.
    let largestRecord: Int
    let blockNanoseconds: Int64
    /// After how long a caller that waits goes before all others: well within what it may wait.
    var precedenceNanoseconds: Int64 { min(1_000_000_000, blockNanoseconds / 4) }
    let whenFull: QueueOptions.WhenFull
}
