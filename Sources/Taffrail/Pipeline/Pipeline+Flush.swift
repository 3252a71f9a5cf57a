internal import Synchronization

extension Pipeline {
    /// Waits until everything logged so far has been written by all sinks and survives power loss.
    ///
    /// - Parameter timeout: How long to wait at most. Default 30 s.
    /// - Returns: Whether that was so within the time. `false` also when records were lost since the last flush, because
    ///   no queue could be made or a sink failed; what the options drop does not count. On the writer thread `false` at
    ///   once.
    @discardableResult
    public func flush(timeout: Duration = .seconds(30)) -> Bool {
        guard !isOnWriterThread else { return false }
        return queue.flush(nanoseconds: timeout.timeout)
    }

    /// Whether a log call has waited in vain for the writer, which has not moved since.
    package var isStuck: Bool { control.isStuck }

    /// Waits until all sinks have written everything logged so far: it then survives SIGKILL in their files, as it
    /// does in the queue already. To survive power loss too, ``flush(timeout:)``.
    ///
    /// - Parameter timeout: How long to wait at most. Default 30 s.
    /// - Returns: Whether that was so within the time, and no records were lost since the last flush. On the writer thread
    ///   `false` at once.
    @discardableResult
    public func drain(timeout: Duration = .seconds(30)) -> Bool {
        guard !isOnWriterThread else { return false }
        return queue.drain(nanoseconds: timeout.timeout)
    }

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
