/// The size of the write queue and its behaviour when it is full.
public struct QueueOptions: Sendable, Hashable {
    /// The behaviour of a log call when the queue has no room for its record.
    public enum WhenFull: Sendable, Hashable {
        /// Waits for room, at most ``QueueOptions/blockLimit``; then the record is dropped and counted.
        case block
        /// Drops the new record and counts it. The call never waits.
        case dropNewest
        /// Drops records below the level and waits for the others.
        case dropBelow(Level)

        /// The number of levels, from the lowest, that are dropped.
        var droppedLevels: UInt8 {
            switch self {
            case .block: 0
            case .dropNewest: UInt8(Level.allCases.count)
            case .dropBelow(let level): level.rawValue
            }
        }
    }

    /// The capacity for records in bytes, rounded up to a power of two. Default 8 MiB, range 64 KiB to 1 GiB. The
    /// largest record is a quarter of it.
    public var capacity: Int
    /// Default ``WhenFull/block``.
    public var whenFull: WhenFull
    /// Whether queued records survive SIGKILL, in a file next to the log. Default `true`. Without a sink that has a
    /// directory for it, or if the file cannot be created, the queue is in memory, which is reported on stderr. A queue
    /// that starts in memory because the disk is full stays there until the program ends or its log moves.
    public var durable: Bool
    /// How long a call waits for room. Default 5 s, range 0 to 1 h. After this time the writer counts as stuck, and no
    /// call waits until it makes progress.
    public var blockLimit: Duration
    /// The minimum level of records that wake the writer and are flushed to disk at once, without the caller waiting
    /// for it. Default ``Level/error``; `nil` disables it.
    public var flushLevel: Level?
    /// Whether SIGTERM and SIGINT drain the queue, for 2 s at most, before they end the program. Signals that the
    /// program handles or ignores are left alone. As PID 1, which the kernel protects from them, the program continues.
    /// Default `true`.
    public var handleSignals: Bool
    /// The directory of the ring's file, which exists; a relative path starts at the working directory. Default `nil`:
    /// `.taffrail` next to the first file sink's log or, without a file sink, in the directory of the first recorder.
    public var directory: String?

    /// Creates options; the defaults are those of the properties.
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

    /// The capacity in use: in range and a power of two.
    var usedCapacity: Int {
        let wanted = min(max(capacity, 64 << 10), 1 << 30)
        return 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount)
    }

    /// The options that a log call needs.
    var limits: QueueLimits {
        QueueLimits(
            largestRecord: usedCapacity / 4, blockNanoseconds: min(blockLimit, .seconds(3600)).nanoseconds,
            droppedLevels: whenFull.droppedLevels)
    }
}
