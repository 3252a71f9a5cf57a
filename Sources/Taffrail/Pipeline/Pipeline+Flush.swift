internal import CTaffrail
internal import Synchronization

extension Pipeline {
    /// Waits until all sinks have written everything logged so far, and it survives power loss.
    ///
    /// - Parameter timeout: The time limit. Default 30 s.
    /// - Returns: Whether this was achieved in time. Also `false` if records were lost since the last flush because no
    ///   queue could be created or a sink failed; drops required by the options do not count. After a shutdown, whether
    ///   that wrote everything. On the writer thread, `false` at once.
    @discardableResult
    public func flush(timeout: Duration = .seconds(30)) -> Bool {
        guard !isOnWriterThread else { return false }
        return queue.flush(nanoseconds: timeout.timeout)
    }

    var isOnWriterThread: Bool { taffrail_is_writer_thread() != 0 }

    /// Whether a log call has timed out waiting for the writer, which has not progressed since.
    package var isStuck: Bool { control.isStuck }

    /// Waits until all sinks have written everything logged so far: it then survives SIGKILL in their files, as it
    /// already does in the queue. To survive power loss, use ``flush(timeout:)``.
    ///
    /// - Parameter timeout: The time limit. Default 30 s.
    /// - Returns: Whether this was achieved in time, with no records lost since the last flush. On the writer thread,
    ///   `false` at once.
    @discardableResult
    public func drain(timeout: Duration = .seconds(30)) -> Bool {
        guard !isOnWriterThread else { return false }
        return queue.drain(nanoseconds: timeout.timeout)
    }

    /// Waits, without a limit, until everything logged so far survives SIGKILL: at once if the queue is in a file; for
    /// a queue in memory, until every sink that does not fail has written it, and at least one.
    ///
    /// - Returns: `false` when the queue ended before that, or a sink has refused a record since the last call.
    package func awaitAcknowledgement() -> Bool {
        if control.lock.withLock({ ring?.path != nil }) { return true }
        let target = control.tail.pointee.load(ordering: .acquiring)
        guard control.state == .open, target < QueueControl.closedTail else { return false }
        while !queue.awaitAcknowledgement(nanoseconds: 1_000_000_000) {
            guard control.state == .open else { return false }
        }
        let refusals = control.refusals.pointee.load(ordering: .acquiring)
        return control.reportedRefusals.pointee.exchange(refusals, ordering: .relaxed) == refusals
    }

    /// The ring's file, in which unwritten records wait for a recovery; `nil` if it is in memory, and before the first
    /// record.
    package var ringPath: String? { control.lock.withLock { ring?.path } }

    /// The number of records of this run that the sink with the most losses has lost: refused permanently, or freed
    /// while it failed.
    package var lostBySinks: UInt64 {
        guard let header = control.header else { return 0 }
        return (0..<RingHeader.sinkSlots).lazy.map { header.lost(inSlot: $0) }.max() ?? 0
    }
}
