/// The guards of a pipeline, called for each log call and for recovered records of dead runs.
struct GuardList: Sendable {
    /// In calling order.
    private let guards: [(guard: any AttributeGuard, names: Set<String>)]
    private let names: [[UInt8]]

    init(_ guards: [any AttributeGuard]) {
        self.guards = guards.map { ($0, $0.watchedNames) }
        var names: [[UInt8]] = []
        for one in self.guards {
            for name in one.names where !names.contains(Array(name.utf8)) { names.append(Array(name.utf8)) }
        }
        self.names = names
    }

    /// Returns whether a watched name is among encoded attributes, also inside maps.
    func watches(_ bytes: UnsafeRawBufferPointer) -> Bool { watches(bytes, depth: 0) }

    private func watches(_ bytes: UnsafeRawBufferPointer, depth: Int) -> Bool {
        if names.isEmpty { return false }
        // Deeper than any encoding, as in a forged ring: decoding ends here, too.
        guard depth <= AttributeCodec.depthLimit else { return true }
        var rest = bytes
        while let entry = AttributeCodec.next(&rest) {
            if names.contains(where: { $0.count == entry.key.count && $0.elementsEqual(entry.key) }) { return true }
            if entry.kind == .map || entry.kind == .array, watches(entry.value, depth: depth + 1) { return true }
        }
        return false
    }

    /// Runs all guards on attributes and the maps among them.
    func review(_ subject: inout GuardedAttributes) -> Verdict {
        subject.attributes = reviewed(subject.attributes, depth: 0)
        return ask(&subject)
    }

    /// Returns attributes with the maps among them reviewed.
    private func reviewed(_ entries: [LogValueEntry], depth: Int) -> [LogValueEntry] {
        entries.compactMap { entry in reviewed(entry.value, depth: depth).map { LogValueEntry(entry.key, $0) } }
    }

    /// Runs the guards that watch one of the names.
    private func ask(_ subject: inout GuardedAttributes) -> Verdict {
        for one in guards where subject.attributes.contains(where: { one.names.contains($0.key) }) {
            guard one.guard.review(&subject) == .keep else { return .drop }
        }
        return .keep
    }

    /// Returns a value with its maps reviewed; `nil` when it must be removed.
    @inline(never)
    private func reviewed(_ value: LogValue, depth: Int) -> LogValue? {
        // Maps nested deeper than the encoding allows are no longer maps.
        guard depth <= AttributeCodec.depthLimit else { return value }
        switch value {
        case .map(let entries):
            var inner = GuardedAttributes(attributes: reviewed(entries, depth: depth + 1))
            return ask(&inner) == .keep ? .map(inner.attributes) : nil
        case .array(let elements):
            return .array(elements.compactMap { reviewed($0, depth: depth + 1) })
        default:
            return value
        }
    }
}
