internal import Synchronization

/// The taps of a pipeline, which remain when its queue is replaced. A forked child has none.
package final class RecordTaps: Sendable {
    private let taps = Locked<[any RecordTap]>([])
    /// The process that has taps; 0: none. Saves the writer the lock, which a fork may leave locked.
    private let owner = Atomic<Int32>(0)

    var isEmpty: Bool {
        let owner = owner.load(ordering: .relaxed)
        return owner == 0 || owner != ThisProcess.id
    }

    /// Attaches a tap, which sees the records that the writer takes from the queue from now on. Those of dead runs,
    /// which go to the sinks first, are not among them. Does nothing if it is attached.
    package func add(_ tap: any RecordTap) {
        taps.withLock { taps in
            if !taps.contains(where: { $0 === tap }) { taps.append(tap) }
            owner.store(ThisProcess.id, ordering: .relaxed)
        }
    }

    /// Detaches a tap. A call may still be under way.
    package func remove(_ tap: any RecordTap) {
        taps.withLock { taps in
            taps.removeAll { $0 === tap }
            if taps.isEmpty { owner.store(0, ordering: .relaxed) }
        }
    }

    /// Passes the numbered records from a position to all of them, as processors leave them in a delivery.
    func feed(
        _ window: RingWindow, from position: UInt64, through processors: ProcessorChain, of delivery: inout Delivery
    ) {
        if isEmpty { return }
        // Not under the lock: a tap may detach itself.
        let taps = taps.withLock { $0 }
        var position = position
        while let records = window.batch(from: position) {
            let batch = delivery.process(records, through: processors)
            if batch.count > 0 { for tap in taps { tap.take(batch) } }
            position = batch.end
        }
        delivery.countDropped(by: processors)
    }
}
