package import Taffrail

extension DedicatedThread {
    /// Runs `body` and waits for it. If the task is cancelled, the interrupt is triggered, and `body` must return soon.
    package static func run(_ body: @escaping @Sendable (Interrupt) -> Void) async {
        let interrupt = Interrupt()
        await withTaskCancellationHandler {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                let whole: @Sendable () -> Void = {
                    body(interrupt)
                    done.resume()
                }
                // Without another thread, use this one.
                if !start(whole) { whole() }
            }
        } onCancel: {
            interrupt.trigger()
        }
    }
}
