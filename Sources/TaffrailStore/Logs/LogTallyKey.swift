#if Store
/// The key by which records are counted in each slot of time.
struct LogTallyKey: Hashable, Comparable {
    /// Minutes since 1970; for longer slots, the number of the slot.
    var minute: Int64
    var level: Int64
    var logger: Int64
    var device: Int64
    var event: Int64

    static func < (left: LogTallyKey, right: LogTallyKey) -> Bool {
        (left.minute, left.level, left.logger, left.device, left.event)
            < (right.minute, right.level, right.logger, right.device, right.event)
    }
}
#endif
