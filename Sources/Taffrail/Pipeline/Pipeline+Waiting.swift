internal import CTaffrail
internal import Synchronization

/// Requests to the writer.
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
        let reported = control.reportedLosses.pointee.load(ordering: .relaxed)
        let failed = control.failedFlushes.pointee.load(ordering: .acquiring)
        let isDone = awaitWriter(
            timeout.timeout, for: { control.flushDone.pointee.load(ordering: .acquiring) >= $0 },
            unless: { control.failedFlushes.pointee.load(ordering: .acquiring) != failed },
            asking: control.askForFlush)
        let losses = control.losses.pointee.load(ordering: .acquiring)
        control.reportedLosses.pointee.max(losses, ordering: .relaxed)
        return isDone && losses == reported
    }

    var isOnWriterThread: Bool { taffrail_is_writer_thread() != 0 }

    /// Waits until all sinks have written everything logged so far: it then survives SIGKILL in their files, as it
    /// already does in the queue. To survive power loss, use ``flush(timeout:)``.
    ///
    /// - Parameter timeout: The time limit. Default 30 s.
    /// - Returns: Whether this was achieved in time, with no records lost since the last flush. On the writer thread,
    ///   `false` at once.
    @discardableResult
    public func drain(timeout: Duration = .seconds(30)) -> Bool {
        guard !isOnWriterThread else { return false }
        let isDone = awaitWriter(timeout.timeout, for: { control.head.pointee.load(ordering: .acquiring) >= $0 }) { _ in
            control.askForDrain()
        }
        return isDone && !control.hasNewLosses
    }

    /// Waits, without a limit, until everything logged so far survives SIGKILL: at once if the queue is in a file; for
    /// a queue in memory, until every sink that does not fail has written it, and at least one.
    ///
    /// - Returns: `false` when the queue ended before that, or a sink has refused a record since the last call.
    package func awaitAcknowledgement() -> Bool {
        if control.lock.withLock({ ring?.path != nil }) { return true }
        let target = control.tail.pointee.load(ordering: .acquiring)
        guard control.state == .open, target < QueueControl.closedTail else { return false }
        let isAcknowledged = { position in
            self.control.head.pointee.load(ordering: .acquiring) >= position
                || self.control.acknowledged.pointee.load(ordering: .acquiring) >= position
        }
        while !awaitWriter(1_000_000_000, for: isAcknowledged, asking: { _ in control.askForDrain() }) {
            guard control.state == .open else { return false }
        }
        let refusals = control.refusals.pointee.load(ordering: .acquiring)
        return control.reportedRefusals.pointee.exchange(refusals, ordering: .relaxed) == refusals
    }

    /// Waits until the position after the records that are now in the ring has been reached.
    ///
    /// - Returns: Whether this was so in time. `true` if nothing was logged; after the end of the ring, whether all sinks
    ///   have everything that was in it.
    private func awaitWriter(
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

    // MARK: Between two batches

    /// Makes every sink reopen its destination between two batches, for example after a log file was renamed. Does not
    /// wait for it.
    public func reopen() { post { $0.sinks.reopen(rotating: false) } }

    /// Renames the live log files to their rotated names between two batches, and makes every other sink reopen its
    /// destination. Empty files are kept. Does not wait; failures are reported on stderr.
    public func rotate() { post { $0.sinks.reopen(rotating: true) } }

    /// Stores a pointer to the ring in the directory of queues of the next run, which would not find it otherwise if no
    /// sink has a state directory. Does not wait for it.
    func setNextQueue(_ directory: String?) { post { $0.sinks.pointers?.setNextQueue(directory) } }

    /// Has the writer of an open queue run a closure between two batches. Does not wait for it.
    private func post(_ task: @escaping @Sendable (Writer) -> Void) {
        control.lock.withLock {
            guard control.state == .open else { return }
            mailbox.post(task)
            control.wakeWriter()
        }
    }

    // MARK: Delivery without delay

    /// Wakes the writer, so that it delivers the records logged so far now instead of waiting some milliseconds for
    /// more. Does not wait for it.
    package func wakeWriter() { control.wakeWriter() }

    /// Raises the priority of the writer thread above ordinary ones (see ``RealtimePriority``), or restores it. Does not
    /// wait for it. Has no effect before the first record.
    package func setWriterPriority(isRaised: Bool) {
        post { [self] _ in
            writerPriority?.restore()
            writerPriority = isRaised ? RealtimePriority() : nil
        }
    }
}
