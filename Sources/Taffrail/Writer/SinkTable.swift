/// The ring's table of sinks, in which a delivery stores its progress. It survives SIGKILL.
protocol SinkTable {
    /// Stores that everything before a position has been written. Returns `false` when the ring's file cannot be
    /// written.
    func storePosition(_ position: UInt64, ofSlot slot: Int) -> Bool
    func countWritten(_ count: UInt64, inSlot slot: Int)
    func countLost(_ count: UInt64, inSlot slot: Int)
    func countFiltered(_ count: UInt64, inSlot slot: Int)
    /// Counts records before a position that processors dropped.
    func countFiltered(_ count: UInt64, upTo position: UInt64)
}

extension RingHeader: SinkTable {
    func storePosition(_ position: UInt64, ofSlot slot: Int) -> Bool {
        setPosition(ofSlot: slot, position)
        return true
    }
    func countWritten(_ count: UInt64, inSlot slot: Int) { countWritten(inSlot: slot, count) }
    func countLost(_ count: UInt64, inSlot slot: Int) { countLost(inSlot: slot, count) }
    func countFiltered(_ count: UInt64, inSlot slot: Int) { countFiltered(inSlot: slot, count) }
}

extension RingFile: SinkTable {
    func storePosition(_ position: UInt64, ofSlot slot: Int) -> Bool {
        count({ $0.setPosition(ofSlot: slot, position) }, at: RingHeader.offset(ofSlot: slot))
    }
    func countWritten(_ count: UInt64, inSlot slot: Int) {
        _ = self.count({ $0.countWritten(inSlot: slot, count) }, at: RingHeader.writtenOffset(ofSlot: slot))
    }
    func countLost(_ count: UInt64, inSlot slot: Int) {
        _ = self.count({ $0.countLost(inSlot: slot, count) }, at: RingHeader.lostOffset(ofSlot: slot))
    }
    func countFiltered(_ count: UInt64, inSlot slot: Int) {
        _ = self.count({ $0.countFiltered(inSlot: slot, count) }, at: RingHeader.filteredOffset(ofSlot: slot))
    }
    /// Stores that the system has failed to write a sink's data to the disk.
    func setHasLostWrites() { _ = self.count({ $0.setHasLostWrites() }, at: RingHeader.flagsOffset) }
    func countFiltered(_ count: UInt64, upTo position: UInt64) {
        _ = self.count(
            { $0.countFiltered(count, upTo: max(position, $0.filteredUpTo)) }, at: RingHeader.filteredOffset)
        _ = self.count({ _ in }, at: RingHeader.filteredUpToOffset)
    }
}
