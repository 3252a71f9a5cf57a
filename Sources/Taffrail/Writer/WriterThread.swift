internal import CTaffrail

/// The thread of a writer. It blocks all signals.
enum WriterThread {
    /// Starts a thread that runs the writer to its end. Returns `false` when the system refuses.
    static func start(_ writer: Writer) -> Bool {
        // On behalf of the new thread, so that no fork comes between its start and its first instruction.
        taffrail_writer_enter()
        nonisolated(unsafe) let writer = writer
        let isStarted = DedicatedThread.start(named: "taffrail", takesSignals: false) { writer.run() }
        if !isStarted { taffrail_writer_leave() }
        return isStarted
    }
}
