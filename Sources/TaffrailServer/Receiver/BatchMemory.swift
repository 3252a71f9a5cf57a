internal import Taffrail

/// How many records of the last batches were taken, by the header `Idempotency-Key`, so that a batch that is sent again
/// is not logged again. Kept in memory: after the end of the program, the records' runs and numbers remain.
final class BatchMemory: Sendable {
    /// Identifies a batch among those of all clients.
    struct Key: Hashable {
        let owner: Int
        let text: String
        /// Distinguishes bodies that a client sends with the same key by mistake.
        let body: Int

        /// The key of a request; `nil` if it has none, or one of more than 200 bytes.
        init?(_ request: ServerRequest, _ access: Access) {
            guard let text = request.header("idempotency-key"), !text.isEmpty, text.utf8.count <= 200 else {
                return nil
            }
            owner = access.owner
            self.text = request.target.path + " " + text
            var hasher = Hasher()
            request.body.withUnsafeBytes { hasher.combine(bytes: $0) }
            body = hasher.finalize()
        }
    }

    private static let limit = 4_096

    private struct State {
        var taken: [Key: Int] = [:]
        /// All keys, the oldest at `next` once there are as many as possible.
        var order: [Key] = []
        var next = 0
    }

    private let state = Locked(State())

    /// How many records of a batch were taken.
    func taken(_ key: Key?) -> Int {
        guard let key else { return 0 }
        return state.withLock { $0.taken[key] ?? 0 }
    }

    /// Remembers how many.
    func note(_ key: Key?, taken count: Int) {
        guard let key, count > 0 else { return }
        state.withLock { state in
            if state.taken.updateValue(count, forKey: key) != nil { return }
            if state.order.count < Self.limit {
                state.order.append(key)
            } else {
                state.taken[state.order[state.next]] = nil
                state.order[state.next] = key
                state.next = (state.next + 1) % Self.limit
            }
        }
    }
}
