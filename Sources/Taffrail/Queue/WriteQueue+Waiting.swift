internal import Synchronization

// Waiting for the writer.

extension WriteQueue {
    /// Waits until all sinks have written and flushed the records that are now in the ring.
    ///
    /// - Returns: Whether they did so in time, with no record lost since the last flush. `true` if nothing was logged;
    ///   after the end of the ring, whether they have everything that was in it.
    func flush(nanoseconds: Int64) -> Bool {
        let reported = control.reportedLosses.pointee.load(ordering: .relaxed)
        let failed = control.failedFlushes.pointee.load(ordering: .acquiring)
        let isDone = wait(
            nanoseconds, for: { control.flushDone.pointee.load(ordering: .acquiring) >= $0 },
            unless: { control.failedFlushes.pointee.load(ordering: .acquiring) != failed }
        ) {
            control.askForFlush(upTo: $0)
        }
        let losses = control.losses.pointee.load(ordering: .acquiring)
        control.reportedLosses.pointee.max(losses, ordering: .relaxed)
        return isDone && losses == reported
    }

    /// Waits until all sinks have written the records that are now in the ring.
    ///
    /// - Returns: Whether they did so in time, with no record lost since the last flush.
    func drain(nanoseconds: Int64) -> Bool {
        let isDone = wait(nanoseconds, for: { control.head.pointee.load(ordering: .acquiring) >= $0 }) { _ in
            control.askForDrain()
        }
        return isDone && !control.hasNewLosses
    }

    /// Waits until each sink that works has the records that are now in the ring, and at least one has them.
    func awaitAcknowledgement(nanoseconds: Int64) -> Bool {
        wait(nanoseconds, for: { isAcknowledged($0) }) { _ in control.askForDrain() }
    }

    /// Returns whether the records before a position have been freed, or each sink that works has them.
    private func isAcknowledged(_ position: UInt64) -> Bool {
        max(
            control.head.pointee.load(ordering: .acquiring), control.acknowledged.pointee.load(ordering: .acquiring)
        ) >= position
    }

    private func wait(
        _ nanoseconds: Int64, for isReached: (UInt64) -> Bool, unless isVain: () -> Bool = { false },
        asking: (UInt64) -> Void
    ) -> Bool {
        let deadline = SystemClock.monotonicNanoseconds() + nanoseconds
        let ring = control.header?.base
        let target = control.tail.pointee.load(ordering: .acquiring)
        while true {
            let epoch = control.flushed.value
            let state = control.state
            let isOpen = state == .open && target < QueueControl.closedTail && control.header?.base == ring
            // The fate of a ring's records after its end depends on how it ended.
            guard isOpen || state == .closing else { return !control.leavesRecords }
            if isOpen && isReached(target) { return true }
            let now = SystemClock.monotonicNanoseconds()
            guard now < deadline, !isVain() else { return false }
            if isOpen { asking(target) }
            control.flushed.wait(while: epoch, nanoseconds: min(deadline - now, 100_000_000))
        }
    }
}
