internal import Taffrail
internal import TaffrailGeo

/// The number of logged records of each recent batch, by the header `Idempotency-Key`, so that a repeated batch is not
/// logged twice. Kept in memory: after a restart, duplicates can still be recognized by the records' numbers and their
/// runs or keys.
final class BatchMemory: Sendable {
    /// Identifies a batch among the batches of all clients.
    struct Key: Hashable {
        let owner: Int
        let text: String
        /// Distinguishes bodies that a client sends with the same key by mistake.
        let body: Int

        /// Creates the key of a request; `nil` if the request has none, or one of more than 200 bytes.
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

        /// Adds a record's number in the batch unless it has a number in its run, so that stores can drop records that
        /// are logged again after a restart.
        func marked(_ record: LogRecord, number: Int) -> LogRecord {
            guard !record.attributes.contains(where: { $0.key == OriginAttributes.sequence }) else { return record }
            var record = record
            record.attributes.insert(
                contentsOf: [
                    LogValueEntry(OriginAttributes.batch, .string(text)),
                    LogValueEntry(OriginAttributes.sequence, .int(Int64(number))),
                ], at: 0)
            return record
        }
    }

    private static let limit = 4_096

    private struct State {
        var taken: [Key: Int] = [:]
        /// All keys of `taken`; once the limit is reached, the oldest is at `next`.
        var order: [Key] = []
        var next = 0
        /// The batches that requests are logging.
        var busy: Set<Key> = []
    }

    private let state = Locked(State())

    private static let all = Locked<[ObjectIdentifier: BatchMemory]>([:])

    /// Returns the memory of a pipeline, which is kept until the process ends, so that a receiver with changed options
    /// continues to use it.
    static func of(_ pipeline: Pipeline) -> BatchMemory {
        all.withLock { all in
            let memory = all[ObjectIdentifier(pipeline)] ?? BatchMemory()
            all[ObjectIdentifier(pipeline)] = memory
            return memory
        }
    }

    /// Begins logging a batch; ``end(_:taken:)`` must follow.
    ///
    /// - Returns: The number of its records that are already logged; `nil` while another request logs it.
    func begin(_ key: Key?) -> Int? {
        guard let key else { return 0 }
        return state.withLock { $0.busy.insert(key).inserted ? $0.taken[key] ?? 0 : nil }
    }

    /// Ends logging a batch, and remembers how many of its records are logged.
    func end(_ key: Key?, taken count: Int) {
        guard let key else { return }
        state.withLock { state in
            state.busy.remove(key)
            guard count > 0, state.taken.updateValue(count, forKey: key) == nil else { return }
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
