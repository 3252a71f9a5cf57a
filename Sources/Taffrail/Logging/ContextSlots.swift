internal import Synchronization

/// The slots of a ring's ``ContextTable``. Protected by the pipeline's registry lock.
///
/// A slot that is no longer in effect is free once the writer has freed everything before the tail at that time: a call
/// reads the word again after it has reserved (decision 0001).
struct ContextSlots {
    /// The head position from which each slot may be written again.
    private var freeFrom = [UInt64](repeating: 0, count: ContextTable.slotCount)
    private var generations = [UInt32](repeating: 0, count: ContextTable.slotCount)
    private var current: Int?

    /// Activates attributes for the calls of a queue that has a ring.
    mutating func publish(_ joined: ContextShares.Joined, to header: RingHeader, _ control: QueueControl) {
        let old = current
        var word: UInt64 = 0
        if joined.all.isEmpty {
            current = nil
        } else if let slot = freeSlot(control) {
            generations[slot] &+= 1
            ContextTable.write(joined.all, slot: slot, generation: generations[slot], to: header.contextTable)
            freeFrom[slot] = .max
            current = slot
            word = numbered(slot)
        } else {
            word = ContextWord.isCopied | (current.map(numbered) ?? 0)
        }
        if word != 0 && !joined.prefixes.isEmpty { word |= ContextWord.mayYield }
        control.context.pointee.store(word, ordering: .sequentiallyConsistent)
        guard let old, old != current else { return }
        // A call that has not seen the new word reserved its space before this reads the tail.
        Membarrier.run()
        freeFrom[old] = control.tail.pointee.load(ordering: .sequentiallyConsistent)
    }

    private func numbered(_ slot: Int) -> UInt64 {
        ContextWord.isNumbered | UInt64(ContextTable.number(slot: slot, generation: generations[slot]))
    }

    private func freeSlot(_ control: QueueControl) -> Int? {
        guard Membarrier.isAvailable else { return nil }
        let head = control.head.pointee.load(ordering: .acquiring)
        return freeFrom.indices.first { freeFrom[$0] <= head }
    }
}
