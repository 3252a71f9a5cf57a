internal import CTaffrail
internal import Glibc

/// The thread of a writer. It takes no signals.
enum WriterThread {
    private final class Start {
        let writer: Writer
        init(_ writer: Writer) { self.writer = writer }
    }

    /// Starts a thread that runs the writer to its end; `nil` when the system refuses.
    static func start(_ writer: Writer) -> pthread_t? {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // On the new thread's behalf, so that no fork comes between its start and its first word.
        taffrail_writer_enter()
        let start = Unmanaged.passRetained(Start(writer))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                taffrail_name_thread("taffrail")
                Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().writer.run()
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            start.release()
            taffrail_writer_leave()
            return nil
        }
        pthread_detach(thread)
        return thread
    }
}
