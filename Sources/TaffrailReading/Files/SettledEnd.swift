internal import Glibc
internal import Taffrail

/// Up to where a live file is settled, told by the log's state without taking its lock.
///
/// A writer notes each block before it writes it (decision 0002). Until the ring's position says that the block counts,
/// whoever finds the note may cut it off and write it again: who reads must not have read it by then.
struct SettledEnd {
    private let log: LogDirectory
    private let name: [UInt8]
    /// The log's slot, once it has been found: the state file's number, and which of its slots.
    private var slot: (file: Int, index: Int)?

    init(_ log: LogDirectory) {
        self.log = log
        name = Array(log.base.utf8)
    }

    /// How much of the open live file is settled, in bytes.
    mutating func end(of file: borrowing FileDescriptor) throws(SystemError) -> Int64 {
        let status = try file.status()
        // The size comes first: what has no note afterwards is settled.
        guard let note = note(), note.kind == .block, note.boot == .current, note.boot != .unknown,
            note.file == file.identity(status), !note.text.isEmpty
        else { return status.size }
        let text = String(decoding: note.text, as: UTF8.self)
        let ring = text.utf8.first == UInt8(ascii: "/") ? text : log.state + "/" + text
        guard let position = RingJournal.read(ring, note.run, note.sinkSlot), position < note.end else {
            return status.size
        }
        return min(status.size, note.start)
    }

    private mutating func note() -> LogNote? {
        if let slot, let state = open(slot.file), let note = note(in: slot.index, of: state) { return note }
        slot = nil
        for number in 1...StateFile.limit {
            guard let state = open(number) else { return nil }
            for index in 0..<StateFile.slotCount {
                if let note = note(in: index, of: state) {
                    slot = (number, index)
                    return note
                }
            }
        }
        return nil
    }

    private func open(_ number: Int) -> FileDescriptor? {
        try? FileDescriptor(StateFile.path(number, of: log), [.read, .ownFile])
    }

    /// The note in a slot, or `.some(nil)` where it has none; `nil` where the slot is not the log's.
    private func note(in index: Int, of state: borrowing FileDescriptor) -> LogNote?? {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: StateFile.slotSize, alignment: 16)
        defer { copy.deallocate() }
        // A note that is just being written reads as damaged.
        for _ in 0..<100 {
            guard
                pread(state.number, copy, StateFile.slotSize, off_t(index * StateFile.slotSize)) == StateFile.slotSize,
                StateFile.isSlot(copy, named: name)
            else { return nil }
            guard LogNote.isPresent(in: copy) else { return .some(nil) }
            if let note = LogNote(in: copy) { return note }
        }
        return .some(nil)
    }
}
