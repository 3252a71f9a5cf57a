internal import Taffrail

/// Passes records from the writer thread to the clients that watch the log.
///
/// Its lock is held only to append and to take records, so that the writer never waits for a client.
final class LiveIntake: Sendable {
    /// Copies of consecutive records, with the number of the first one.
    struct Batch: Sendable {
        let run: RingID
        let bytes: [UInt8]
        let first: UInt64
    }

    /// The records appended since the last call of ``take()``.
    struct Taken: Sendable {
        /// The batches, in order. Records between them were only counted.
        var batches: [Batch] = []
        /// The number of the next record.
        var next: UInt64 = 0
        /// Identifies the period in which all of these were counted without a gap.
        var epoch: UInt64 = 0
        /// Whether records are still counted.
        var isAttached = false
    }

    /// The writer's action for a batch: nothing, counting it, or copying it.
    enum Demand: Sendable { case none, number, copies }

    private struct State {
        var taken = Taken()
        var bytes = 0
        var clients = 0
        /// The time at which the last client left, by the monotonic clock.
        var left = Int64(0)
    }

    private let state = Locked(State())
    /// The maximum number of pending bytes.
    private let limit: Int
    /// How long records are counted while there is no client, in nanoseconds.
    private let linger: Int64

    init(limit: Int, linger: Duration) {
        self.limit = limit
        self.linger = linger.nanoseconds
    }

    // MARK: The writer

    /// Returns what to do with the next batch. After `none` records are no longer counted.
    func demand() -> Demand {
        state.withLock { state in
            let isRecent = SystemClock.monotonicNanoseconds() < state.left &+ linger
            guard state.taken.isAttached, state.clients > 0 || isRecent else {
                state.taken.isAttached = false
                (state.taken.batches, state.bytes) = ([], 0)
                return .none
            }
            return state.bytes < limit ? .copies : .number
        }
    }

    /// Appends a batch.
    ///
    /// - Parameter bytes: Copies of its records; `nil`: the limit is reached, and they are only counted.
    func append(_ bytes: [UInt8]?, run: RingID, count: Int) {
        state.withLock { state in
            if let bytes {
                state.taken.batches.append(Batch(run: run, bytes: bytes, first: state.taken.next))
                state.bytes += bytes.count
            }
            state.taken.next &+= UInt64(count)
        }
    }

    // MARK: Clients

    /// Whether records are counted.
    var isAttached: Bool { state.withLock { $0.taken.isAttached } }

    /// Adds a client, and starts counting records.
    ///
    /// - Returns: The number of the next record, and the current epoch.
    func join() -> (next: UInt64, epoch: UInt64) {
        state.withLock { state in
            state.clients += 1
            if !state.taken.isAttached {
                state.taken.isAttached = true
                state.taken.epoch = UInt64.random(in: 0 ... .max)
            }
            return (state.taken.next, state.taken.epoch)
        }
    }

    /// Removes a client.
    func leave() {
        state.withLock { state in
            state.clients -= 1
            state.left = SystemClock.monotonicNanoseconds()
        }
    }

    /// Takes the records appended since the last call.
    func take() -> Taken {
        state.withLock { state in
            defer { (state.taken.batches, state.bytes) = ([], 0) }
            return state.taken
        }
    }

    /// Stops counting.
    func end() {
        state.withLock { state in
            state.taken.isAttached = false
            (state.taken.batches, state.bytes) = ([], 0)
        }
    }
}
