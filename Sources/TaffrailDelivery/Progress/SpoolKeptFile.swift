internal import Taffrail

/// The saved state of a sink, and the file `state`, a ``SlotFile`` with slots of 32 KiB.
///
/// A state in a frame is not also stored in the file: the state with the higher generation is used.
///
/// | offset in a slot | field |
/// |---|---|
/// | 16 | number of marks u32, length of the state u32 |
/// | 24 | end of the spool when it was written: segment u64, offset i64 |
/// | 40 | marks, as in a segment's header; the state |
struct SpoolKeptFile {
    /// The state stored last, here or in a frame.
    private(set) var kept = SpoolKept()
    private static let format = SlotFile.Format(name: "state", magic: 0x3154_5354, size: 32 << 10, length: length)
    /// The length of the header after the slot's own header.
    private static let headerSize = 24
    private let directory: String
    /// Created with the first write: most spools have none.
    private var slots: SlotFile?

    init(directory: String) { self.directory = directory }

    private static func length(of slot: UnsafeRawBufferPointer) -> Int? {
        let start = SlotFile.headerSize
        guard slot.count >= start + headerSize else { return nil }
        let count = Int(slot.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        let stateLength = Int(slot.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self))
        guard count <= SpoolMarks.limit, stateLength <= SpoolKept.longestState else { return nil }
        return start + headerSize + SpoolMarks.Mark.size * count + stateLength
    }

    /// Selects the newest of the states in a frame, in the file and in this program.
    ///
    /// - Parameters:
    ///   - found: The state in the last frame that has one.
    ///   - marks: How far the spool has got in each run.
    ///   - end: The end of the spool. After a power loss a slot may be newer than the frames, whose records are then
    ///     offered again: it is ignored.
    mutating func read(_ found: (generation: UInt64, bytes: [UInt8])?, _ marks: SpoolMarks, upTo end: SpoolPosition) {
        slots = nil
        let stored = SlotFile.read(Self.format, in: directory)
        if let newest = stored.lazy.map({ Self.kept($0) }).first(where: { $0.end <= end })?.kept {
            take(newest.generation, newest.state)
            kept.marks.merge(newest.marks)
        }
        if let found { take(found.generation, found.bytes) }
        // A state that is ignored now must not be used later, when the spool has grown.
        kept.generation = max(kept.generation, stored.first?.generation ?? 0)
        if kept.generation > 0 { kept.marks.merge(marks) }
    }

    private mutating func take(_ generation: UInt64, _ state: [UInt8]) {
        if generation > kept.generation { (kept.generation, kept.state) = (generation, state) }
    }

    private static func kept(_ slot: SlotFile.Slot) -> (kept: SpoolKept, end: SpoolPosition) {
        slot.content.withUnsafeBytes { content in
            let end = SpoolPosition(
                segment: content.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                offset: content.loadUnaligned(fromByteOffset: 16, as: Int64.self))
            var kept = SpoolKept(generation: slot.generation)
            let count = Int(content.loadUnaligned(as: UInt32.self))
            for index in 0..<count {
                kept.marks.set(SpoolMarks.Mark(content, at: headerSize + SpoolMarks.Mark.size * index))
            }
            kept.state = Array(content[(headerSize + SpoolMarks.Mark.size * count)...])
            return (kept, end)
        }
    }

    /// Records that a frame has the state of the sink.
    mutating func set(_ next: SpoolKept) { kept = next }

    /// Stores the state of the sink.
    ///
    /// - Parameter end: The end of the spool.
    mutating func store(_ next: SpoolKept, end: SpoolPosition) throws(SystemError) {
        let file: SlotFile
        if let slots { file = slots } else { file = try SlotFile(Self.format, in: directory) }
        slots = file
        try file.write(Self.content(next, end), generation: next.generation)
        kept = next
    }

    private static func content(_ kept: SpoolKept, _ end: SpoolPosition) -> [UInt8] {
        var content = [UInt8](repeating: 0, count: headerSize + SpoolMarks.Mark.size * kept.marks.all.count)
        content.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: UInt32(kept.marks.all.count), as: UInt32.self)
            bytes.storeBytes(of: UInt32(kept.state.count), toByteOffset: 4, as: UInt32.self)
            bytes.storeBytes(of: end.segment, toByteOffset: 8, as: UInt64.self)
            bytes.storeBytes(of: end.offset, toByteOffset: 16, as: Int64.self)
            for (index, mark) in kept.marks.all.enumerated() {
                mark.store(in: bytes, at: headerSize + SpoolMarks.Mark.size * index)
            }
        }
        return content + kept.state
    }

    /// Makes what was written survive power loss.
    func synchronize() throws(SystemError) { try slots?.synchronize() }
}
