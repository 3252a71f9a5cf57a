/// Delivery without delay, for records that must arrive on time.
extension Pipeline {
    /// Wakes the writer, so that it delivers the records logged so far now instead of waiting some milliseconds for
    /// more. Does not wait for it.
    package func wakeWriter() { control.wakeWriter() }

    /// Raises the priority of the writer thread above ordinary ones (see ``RealtimePriority``), or restores it. Does not
    /// wait for it. Has no effect before the first record.
    package func setWriterPriority(isRaised: Bool) {
        let writerPriority = writerPriority
        control.lock.withLock {
            guard control.state == .open else { return }
            mailbox.post { _ in writerPriority.set(isRaised: isRaised) }
            control.wakeWriter()
        }
    }
}

/// The priority of the writer thread. Confined to that thread.
final class WriterPriority: @unchecked Sendable {
    private var raised: RealtimePriority?

    func set(isRaised: Bool) {
        raised?.restore()
        raised = isRaised ? RealtimePriority() : nil
    }
}
