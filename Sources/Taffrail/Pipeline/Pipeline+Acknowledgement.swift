internal import Synchronization

extension Pipeline {
    /// Waits, without a limit, until everything logged so far survives SIGKILL: in a queue in a file it does at once, from
    /// one in memory all sinks must have written it.
    ///
    /// - Returns: `false` when the queue ended before, or a sink lost records meanwhile.
    package func awaitAcknowledgement() -> Bool {
        if control.lock.withLock({ ring?.path != nil }) { return true }
        let target = control.tail.pointee.load(ordering: .acquiring)
        guard target < QueueControl.closedTail else { return false }
        let lost = lostBySinks
        while control.head.pointee.load(ordering: .acquiring) < target {
            guard control.state == .open else { return false }
            drain(timeout: .seconds(1))
        }
        return lostBySinks == lost
    }

    /// How many records of this run the sink lost that lost most: refused for good, or freed while it failed.
    package var lostBySinks: UInt64 {
        guard let header = control.header else { return 0 }
        return (0..<RingHeader.sinkSlots).lazy.map { header.lost(inSlot: $0) }.max() ?? 0
    }
}
