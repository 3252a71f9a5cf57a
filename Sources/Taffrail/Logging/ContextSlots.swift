internal import Synchronization

/// How a record gets its ambient attributes: the word that every log call reads, next to the limit of the queue.
///
/// | bits | meaning |
/// |---|---|
/// | 0–15 | the number in the ring's ``ContextTable`` |
/// | 16 | there is one |
/// | 17 | the table is full: the call copies the bytes |
/// | 18 | some providers yield to a record's own attributes |
///
/// 0: no ambient attributes. With bits 16 and 17 the number is the last one before the table was full; only a call that
/// began earlier uses it, because its record has no room for the bytes.
enum ContextWord {
    static let isNumbered: UInt64 = 1 << 16
    static let isCopied: UInt64 = 1 << 17
    static let mayYield: UInt64 = 1 << 18
    /// Set by a call whose record is already complete; never set in the word of the queue.
    static let isSettled: UInt64 = 1 << 63
}

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
