package import Taffrail

extension DedicatedThread {
    /// Runs `body` and waits for its end. Where the task is cancelled, the interrupt happens, and `body` must end soon.
    package static func run(_ body: @escaping @Sendable (Interrupt) -> Void) async {
        let interrupt = Interrupt()
        await withTaskCancellationHandler {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                let whole: @Sendable () -> Void = {
                    body(interrupt)
                    done.resume()
                }
                // Without a thread it has to be this one.
                if !start(whole) { whole() }
            }
        } onCancel: {
            interrupt.trigger()
        }
    }
}
