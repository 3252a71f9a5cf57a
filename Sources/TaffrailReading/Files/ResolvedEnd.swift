internal import Taffrail
internal import TaffrailText

/// Determines the resolved part of a live file from the log's state, without taking its lock.
///
/// A writer stores its intent before it writes a block (the core's decision 0002). Until the sink's offset in the ring
/// confirms the block, the next holder of the lock may truncate and rewrite it, so a reader must not have read it.
struct ResolvedEnd {
    private let log: LogPath
    private let name: [UInt8]
    /// The log's slot, once found: the number of the state file, and the index of the slot.
    private var slot: (file: Int, index: Int)?

    init(_ log: LogPath) {
        self.log = log
        name = Array(log.base.utf8)
    }

    /// Returns the resolved length of the open live file, in bytes.
    mutating func end(of file: borrowing FileDescriptor) throws(SystemError) -> Int64 {
        let status = try file.status()
        // Read the size first: if there is no intent afterwards, everything up to it is resolved.
        guard let intent = intent(), intent.kind == .block, intent.boot == .current, intent.boot != .unknown,
            intent.file == file.identity(status), !intent.text.isEmpty
        else { return status.size }
        let text = String(decoding: intent.text, as: UTF8.self)
        let ring = text.utf8.first == UInt8(ascii: "/") ? text : log.state + "/" + text
        let isResolved: Bool
        do throws(SystemError) {
            isResolved = try RingCheckpoint.read(ring, intent.run, intent.sinkSlot).map { $0 >= intent.end } ?? true
        } catch {
            isResolved = false
        }
        return isResolved ? status.size : min(status.size, intent.start)
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

    /// Returns the intent in a slot, or `.some(nil)` if it has none; `nil` if the slot is not the log's.
    private func intent(in index: Int, of state: borrowing FileDescriptor) -> WriteIntent?? {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: StateFile.slotSize, alignment: 16)
        defer { bytes.deallocate() }
        guard let copy = bytes.baseAddress else { return nil }
        // While an intent is being written, it appears damaged.
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
