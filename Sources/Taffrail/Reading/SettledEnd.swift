internal import Glibc

/// Up to where a live file is settled, told by the log's state without taking its lock.
///
/// A writer notes each block before it writes it (decision 0002). Until the ring's position says that the block counts,
/// whoever finds the note may cut it off and write it again: who reads must not have read it by then.
struct SettledEnd {
    private let log: LogDirectory
    private let name: [UInt8]
    /// The log's slot in the state file, once it has been found.
    private var slot: Int?

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
        guard let state = try? FileDescriptor.open(log.lock, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
        let copy = UnsafeMutableRawPointer.allocate(byteCount: LogState.slotSize, alignment: 16)
        defer { copy.deallocate() }
        func load(_ index: Int) -> Bool {
            pread(state.number, copy, LogState.slotSize, off_t(index * LogState.slotSize)) == LogState.slotSize
                && LogState.name(of: copy, is: name)
        }
        if slot.map(load) != true { slot = (0..<LogState.slotCount).first(where: load) }
        guard let slot else { return nil }
        // A note that is just being written reads as damaged.
        for _ in 0..<100 where LogNote.isPresent(in: copy) {
            if let note = LogNote(in: copy) { return note }
            guard load(slot) else { return nil }
        }
        return nil
    }
}
