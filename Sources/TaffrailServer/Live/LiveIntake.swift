internal import Taffrail

/// What the writer thread hands over to the clients that watch the log.
///
/// Its lock is held only to append and to take, whatever clients do meanwhile: the writer waits for none of them.
final class LiveIntake: Sendable {
    /// Copies of records, of which the first one has a number.
    struct Batch: Sendable {
        let run: RingID
        let bytes: [UInt8]
        let first: UInt64
    }

    /// What has been handed over since the last time.
    struct Taken: Sendable {
        /// In order. Records between them were not copied.
        var batches: [Batch] = []
        /// The number of the next record.
        var next: UInt64 = 0
        /// Identifies the time without a gap in which all of these were counted.
        var epoch: UInt64 = 0
        /// Whether records are still counted.
        var isAttached = false
    }

    /// What the writer does with a batch.
    enum Demand: Sendable { case none, number, copies }

    private struct State {
        var taken = Taken()
        var bytes = 0
        var clients = 0
        /// When there was a client last, by the monotonic clock.
        var left = Int64(0)
    }

    private let state = Locked(State())
    /// The most bytes that wait.
    private let limit: Int
    /// How long records are counted when there is no client, in nanoseconds.
    private let linger: Int64

    init(limit: Int, linger: Duration) {
        self.limit = limit
        self.linger = linger.nanoseconds
    }

    // MARK: The writer

    /// What is wanted of the next batch. After `none` records are no longer counted.
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

    /// Hands a batch over.
    ///
    /// - Parameter bytes: Copies of its records; `nil`: there is no room, and they are only counted.
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

    /// Counts a client, and has records counted from now on.
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

    /// A client no longer counts.
    func leave() {
        state.withLock { state in
            state.clients -= 1
            state.left = SystemClock.monotonicNanoseconds()
        }
    }

    /// Takes what has been handed over.
    func take() -> Taken {
        state.withLock { state in
            defer { (state.taken.batches, state.bytes) = ([], 0) }
            return state.taken
        }
    }

    /// Has nothing counted any more.
    func end() {
        state.withLock { state in
            state.taken.isAttached = false
            (state.taken.batches, state.bytes) = ([], 0)
        }
    }
}
