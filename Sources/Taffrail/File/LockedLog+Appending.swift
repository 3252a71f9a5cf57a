internal import CTaffrail

extension LockedLog {
    /// The origin of a block in a ring.
    struct Origin {
        let checkpoint: SinkCheckpoint
        /// The result of ``LockedLog/ringText(_:)``; empty for a queue in memory.
        let ring: [UInt8]
        /// The ring position after the block.
        let end: UInt64
    }

    /// Writes a block of complete lines, and stores its end as the sink's position.
    ///
    /// After a failure the file contains nothing of the block.
    /// - Returns: The failure, and how many bytes fitted.
    mutating func append(
        _ block: UnsafeRawBufferPointer, _ origin: Origin?, _ extent: LineBlock.Extent
    ) -> (failure: SystemError, room: Int)? {
        guard let live else { return (SystemError("write \(log.live)", code: Errno.badDescriptor), 0) }
        let start = size
        index.begin(extent, in: live, at: start, state)
        var intent = WriteIntent(.block, file: live.identity, start: start)
        if let origin {
            intent.end = origin.end
            intent.run = origin.checkpoint.run
            intent.sinkSlot = origin.checkpoint.slot
            intent.text = origin.ring
        }
        if let state {
            do throws(SystemError) { try state.store(intent) } catch { return (error, 0) }
            taffrail_point(CInt(TAFFRAIL_POINT_NOTED))
        }
        unsynchronized.live = true
        var (written, code) = live.file.write(all: block)
        taffrail_point(CInt(TAFFRAIL_POINT_WRITTEN))
        var failure = code == 0 ? nil : SystemError("write \(log.live)", code: code)
        if failure == nil, let origin, !origin.checkpoint.store(origin.end) {
            failure = SystemError(
                "cannot store the position in \(origin.checkpoint.ringPath ?? "the queue")",
                code: Errno.inputOutput)
            written = 0
        }
        guard let failure else {
            taffrail_point(CInt(TAFFRAIL_POINT_CHECKPOINTED))
            size += Int64(block.count)
            index.count(block, extent, end: size)
            state?.count(extent)
            // The next holder reads the position and resolves a remaining intent.
            try? state?.clearIntent()
            taffrail_point(CInt(TAFFRAIL_POINT_CLEARED))
            return nil
        }
        do throws(SystemError) {
            if written > 0 || code == 0 { try live.cut(to: start) }
            try state?.clearIntent()
        } catch {
            // The intent remains, and the next holder truncates.
            uncut = intent
            code = error.code
        }
        return (failure, written)
    }
}

/// The origin of the records in a file sink's current batch, as stored in the intents of its blocks.
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
