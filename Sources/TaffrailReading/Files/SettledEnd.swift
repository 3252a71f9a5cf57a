internal import Taffrail

/// Up to where a live file is settled, told by the log's state without taking its lock.
///
/// A writer stores its intent before it writes a block (decision 0002). Until the ring's position says that the block counts,
/// the next holder of the lock may cut the block off and write it again: a reader must not have read it by then.
struct SettledEnd {
    private let log: LogPath
    private let name: [UInt8]
    /// The log's slot, once it has been found: the state file's number, and which of its slots.
    private var slot: (file: Int, index: Int)?

    init(_ log: LogPath) {
        self.log = log
        name = Array(log.base.utf8)
    }

    /// How much of the open live file is settled, in bytes.
    mutating func end(of file: borrowing FileDescriptor) throws(SystemError) -> Int64 {
        let status = try file.status()
        // The size comes first: what has no intent afterwards is settled.
        guard let intent = intent(), intent.kind == .block, intent.boot == .current, intent.boot != .unknown,
            intent.file == file.identity(status), !intent.text.isEmpty
        else { return status.size }
        let text = String(decoding: intent.text, as: UTF8.self)
        let ring = text.utf8.first == UInt8(ascii: "/") ? text : log.state + "/" + text
        guard let position = RingCheckpoint.read(ring, intent.run, intent.sinkSlot), position < intent.end else {
            return status.size
        }
        return min(status.size, intent.start)
    }

    private mutating func intent() -> WriteIntent? {
        if let slot, let state = open(slot.file), let intent = intent(in: slot.index, of: state) { return intent }
        slot = nil
        for number in 1...StateFile.limit {
            guard let state = open(number) else { return nil }
            for index in 0..<StateFile.slotCount {
                if let intent = intent(in: index, of: state) {
                    slot = (number, index)
                    return intent
                }
            }
        }
        return nil
    }

    private func open(_ number: Int) -> FileDescriptor? {
        try? FileDescriptor(StateFile.path(number, of: log), [.read, .ownFile])
    }

    /// The intent in a slot, or `.some(nil)` where it has none; `nil` where the slot is not the log's.
    private func intent(in index: Int, of state: borrowing FileDescriptor) -> WriteIntent?? {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: StateFile.slotSize, alignment: 16)
        defer { bytes.deallocate() }
        guard let copy = bytes.baseAddress else { return nil }
        // An intent that is just being written reads as damaged.
        for _ in 0..<100 {
            guard
                state.readOnce(into: bytes, at: Int64(index * StateFile.slotSize)) == StateFile.slotSize,
                StateFile.isSlot(copy, named: name)
            else { return nil }
            guard WriteIntent.isPresent(in: copy) else { return .some(nil) }
            if let intent = WriteIntent(in: copy) { return intent }
        }
        return .some(nil)
    }
}
