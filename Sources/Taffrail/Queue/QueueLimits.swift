/// The options that a log call needs, as plain bits, so that no call updates reference counts.
struct QueueLimits: Sendable {
    /// The longest record, in bytes.
    let largestRecord: Int
    let blockNanoseconds: Int64
    /// The wait after which a caller takes precedence: well within its limit.
    var precedenceNanoseconds: Int64 { min(1_000_000_000, blockNanoseconds / 4) }
    /// The number of levels, from the lowest, that a full queue drops as configured.
    let droppedLevels: UInt8
    /// How long a call waits for a queue to close: longer than replacing a ring takes.
    var closingNanoseconds = Self.longestChange
    /// The longest wait for a queue to be opened or closed.
    static let longestChange: Int64 = 10_000_000_000
}
