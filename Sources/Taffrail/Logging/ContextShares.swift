/// The attributes published by the context providers of a pipeline. Protected by the pipeline's registry lock.
struct ContextShares {
    private struct Share {
        let id: Int
        let yieldsTo: String?
        var bytes: [UInt8] = []
        /// Whether it was omitted the last time because it did not fit.
        var isLeftOut = false
    }

    private var shares: [Share] = []
    private var nextID = 0

    /// The attributes of all providers, in order, encoded in at most ``AmbientContext/limit`` bytes.
    struct Joined {
        var all: [UInt8] = []
        /// The attributes of the providers that yield to nothing.
        var unyielding: [UInt8] = []
        /// The prefixes that the other providers yield to.
        var prefixes: [[UInt8]] = []
    }

    /// Adds a provider and returns its number.
    mutating func add(yieldsTo prefix: String?) -> Int {
        nextID += 1
        shares.append(Share(id: nextID, yieldsTo: prefix))
        return nextID
    }

    /// Removes a provider; its later attributes are ignored.
    mutating func remove(_ id: Int) { shares.removeAll { $0.id == id } }

    /// Replaces a provider's attributes. If they do not fit next to the others, the provider has none.
    ///
    /// - Parameter redact: Removes attributes that no record may contain.
    mutating func replace(_ bytes: [UInt8], of id: Int, redact: ([UInt8]) -> [UInt8]) throws(ContextError) {
        guard let index = shares.firstIndex(where: { $0.id == id }) else { return }
        shares[index].bytes = []
        let length = redact(bytes).count
        let total = shares.reduce(length) { $0 + redact($1.bytes).count }
        guard total <= AmbientContext.limit else {
            if !shares[index].isLeftOut { Self.report(total) }
            shares[index].isLeftOut = true
            throw ContextError(length: total)
        }
        shares[index].isLeftOut = false
        shares[index].bytes = bytes
    }

    /// Returns the attributes as records get them. A provider whose redacted attributes no longer fit has none.
    mutating func joined(redact: ([UInt8]) -> [UInt8]) -> Joined {
        var joined = Joined()
        for index in shares.indices where !shares[index].bytes.isEmpty {
            let bytes = redact(shares[index].bytes)
            guard joined.all.count + bytes.count <= AmbientContext.limit else {
                Self.report(joined.all.count + bytes.count)
                shares[index].isLeftOut = true
                shares[index].bytes = []
                continue
            }
            joined.all += bytes
            if let prefix = shares[index].yieldsTo.map({ Array($0.utf8) }) {
                if !joined.prefixes.contains(prefix) { joined.prefixes.append(prefix) }
            } else {
                joined.unyielding += bytes
            }
        }
        return joined
    }

    private static func report(_ length: Int) {
        Diagnostics.report("\(ContextError(length: length)); ignoring those of one provider")
    }
}
