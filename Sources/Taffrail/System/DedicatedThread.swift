internal import CTaffrail
internal import Glibc

/// Runs blocking work on a dedicated thread, so that Swift's cooperative pool is not blocked.
package enum DedicatedThread {
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Starts a thread that runs `body`. Returns `false` when the system refuses.
    ///
    /// - Parameters:
    ///   - name: The thread's name, at most 15 bytes; `nil`: that of the program.
    ///   - takesSignals: Whether signals sent to the program may be delivered to this thread.
    package static func start(
        named name: StaticString? = nil, takesSignals: Bool = true, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        var all = sigset_t()
        var before = sigset_t()
        if !takesSignals {
            sigfillset(&all)
            pthread_sigmask(SIG_SETMASK, &all, &before)
        }
        defer { if !takesSignals { pthread_sigmask(SIG_SETMASK, &before, nil) } }
        let context = Unmanaged.passRetained(
            Body {
                if let name {
                    taffrail_name_thread(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
                }
                body()
            })
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
