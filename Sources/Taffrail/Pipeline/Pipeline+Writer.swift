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
        return queue.flush(nanoseconds: timeout.timeout)
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

    // MARK: Between two batches

    /// Makes every sink reopen its destination between two batches, for example after a log file was renamed. Does not
    /// wait for it.
    public func reopen() { post { $0.reopenSinks() } }

    /// Renames the live log files to their rotated names between two batches, and makes every other sink reopen its
    /// destination. Empty files are kept. Does not wait; failures are reported on stderr.
    public func rotate() { post { $0.rotateSinks() } }

    /// Stores a pointer to the ring in the directory of queues of the next run, which would not find it otherwise if no
    /// sink has a state directory. Does not wait for it.
    func setNextQueue(_ directory: String?) { post { $0.setNextQueue(directory) } }

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
