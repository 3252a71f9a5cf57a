// The ambient attributes of all records.

extension Pipeline {
    /// Adds a context provider and starts it.
    public func add(_ provider: any ContextProvider) { _ = attach(provider) }

    /// Adds a context provider and starts it.
    ///
    /// - Returns: Its slot, for ``detach(_:)``.
    package func attach(_ provider: any ContextProvider) -> ContextSlot {
        let id = control.registryLock.withLock { contexts.add(yieldsTo: provider.yieldsTo) }
        let slot = ContextSlot(pipeline: self, id: id)
        provider.publish(into: slot)
        return slot
    }

    /// Removes a context provider: its attributes are removed, and later ones are ignored.
    package func detach(_ slot: ContextSlot) {
        control.registryLock.withLock {
            contexts.remove(slot.id)
            publishContexts()
        }
    }

    /// Changes the redaction of calls and of the context providers' attributes.
    func setRedaction(_ change: () -> Void) {
        control.registryLock.withLock {
            change()
            publishContexts()
        }
    }

    /// Activates the attributes that the providers have published. Requires the registry lock.
    @inline(never)
    func publishContexts() {
        let joined = contexts.joined(redact: redacted)
        ambient.replace(joined)
        // Without a ring, as in a forked child, the next ring starts with them. A ring that has ended is not harmed:
        // nothing refers to a slot that is written then.
        if let header = control.header { contextSlots.publish(joined, to: header, control) }
    }

    /// Returns a provider's attributes after redaction. Called again for all of them when the redaction changes.
    func redacted(_ bytes: [UInt8]) -> [UInt8] { redaction.object?.cleanedContext(bytes) ?? bytes }

    /// The attributes that context providers have published, as the next record gets them.
    public var contextAttributes: [LogValueEntry] {
        var bytes = [UInt8](repeating: 0, count: AmbientContext.limit)
        let length = bytes.withUnsafeMutableBytes { room in room.baseAddress.map { ambient.copy(to: $0) } ?? 0 }
        return AttributeCodec.entries(Array(bytes.prefix(length)))
    }
}
