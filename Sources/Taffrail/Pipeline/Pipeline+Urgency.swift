/// For what is logged at a moment that somebody waits for.
extension Pipeline {
    /// Has the writer give what was logged so far to the sinks at once, not within the milliseconds in which it gathers
    /// more. Returns at once.
    package func hurry() { control.wakeWriter() }

    /// Has the thread of the writer at work come before ordinary ones (see ``ThreadUrgency``), or no longer. Returns at
    /// once. Nothing happens before the first record.
    package func setWriterUrgent(_ isUrgent: Bool) {
        let urgency = urgency
        control.lock.withLock {
            guard control.state == .open else { return }
            mailbox.post { _ in urgency.set(isUrgent) }
            control.wakeWriter()
        }
    }
}

/// How urgent the writer's thread is. Confined to that thread.
final class WriterUrgency: @unchecked Sendable {
    private var urgency: ThreadUrgency?

    func set(_ isUrgent: Bool) {
        urgency?.restore()
        urgency = isUrgent ? ThreadUrgency() : nil
    }
}
