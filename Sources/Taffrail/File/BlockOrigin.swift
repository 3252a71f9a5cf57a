/// Where the records of a file sink's current batch come from, as the intents of its blocks have it.
struct BlockOrigin {
    /// The checkpoint of a batch, and the path of its ring as an intent has it.
    private var current: (checkpoint: SinkCheckpoint, ring: [UInt8])?
    private var hasReported = false

    /// Changes to the origin of a batch.
    ///
    /// - Parameter ringText: The path of a ring as an intent has it; `nil` if it is too long.
    /// - Returns: Whether the path is too long for an intent, which is to be reported: once.
    mutating func set(_ checkpoint: SinkCheckpoint?, ringText: (String) -> [UInt8]?) -> Bool {
        guard let checkpoint else {
            current = nil
            return false
        }
        if current?.checkpoint === checkpoint { return false }
        let ring = checkpoint.ringPath.map(ringText) ?? []
        current = (checkpoint, ring ?? [])
        guard ring == nil, !hasReported else { return false }
        hasReported = true
        return true
    }

    /// The origin of a block that ends at a position; `nil` where there is no checkpoint.
    func block(endingAt end: UInt64) -> LockedLog.Origin? {
        current.map { LockedLog.Origin(checkpoint: $0.checkpoint, ring: $0.ring, end: end) }
    }
}
