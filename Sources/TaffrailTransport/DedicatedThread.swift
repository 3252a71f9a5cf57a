internal import Glibc

/// Runs what blocks on a thread of its own, so that the pool of Swift's tasks is not held up.
package enum DedicatedThread {
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Runs `body` and waits for its end. Where the task is cancelled, the interrupt happens, and `body` must end soon.
    package static func run(_ body: @escaping @Sendable (Interrupt) -> Void) async {
        let interrupt = Interrupt()
        await withTaskCancellationHandler {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                let boxed = Body {
                    body(interrupt)
                    done.resume()
                }
                if !start(boxed) {
                    // Without a thread it has to be this one.
                    boxed.run()
                }
            }
        } onCancel: {
            interrupt.trigger()
        }
    }

    /// Starts a thread that runs `body`; `false` when the system has none.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool { start(Body(body)) }

    private static func start(_ body: Body) -> Bool {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let context = Unmanaged.passRetained(body)
        let result = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        if result != 0 { context.release() }
        return result == 0
    }
}
