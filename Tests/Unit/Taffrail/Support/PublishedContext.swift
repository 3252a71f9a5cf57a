import Taffrail
import TaffrailTesting

/// A context provider that publishes the attributes given by a test.
final class PublishedContext: ContextProvider {
    let yieldsTo: String?
    private let slot = Locked<Pipeline.ContextSlot?>(nil)

    init(yieldsTo prefix: String? = nil) { yieldsTo = prefix }

    func publish(into slot: Pipeline.ContextSlot) { self.slot.withLock { $0 = slot } }

    func publish(_ attributes: LogAttributes) throws { try slot.withLock { $0 }?.publish(attributes) }
}
