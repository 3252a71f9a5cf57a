package import Taffrail

/// A context provider that publishes the attributes given by a test.
package final class PublishedContext: ContextProvider {
    package let yieldsTo: String?
    private let slot = Locked<Pipeline.ContextSlot?>(nil)

    package init(yieldsTo prefix: String? = nil) { yieldsTo = prefix }

    package func publish(into slot: Pipeline.ContextSlot) { self.slot.withLock { $0 = slot } }

    package func publish(_ attributes: LogAttributes) throws { try slot.withLock { $0 }?.publish(attributes) }
}
