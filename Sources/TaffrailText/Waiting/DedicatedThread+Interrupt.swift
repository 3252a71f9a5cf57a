package import Taffrail

extension DedicatedThread {
    /// Runs `body` and waits for it. If the task is cancelled, the interrupt is triggered, and `body` must return soon.
    package static func run(_ body: @escaping @Sendable (Interrupt) -> Void) async {
        let interrupt = Interrupt()
        await withTaskCancellationHandler {
            // Without another thread, use this one.
            if await value(of: { body(interrupt) }) == nil { body(interrupt) }
        } onCancel: {
            interrupt.trigger()
        }
    }
}
