internal import Taffrail

/// The file `cursor`, a ``SlotFile`` with slots of 128 bytes.
///
/// | offset in a slot | field |
/// |---|---|
/// | 16 | position: segment u64, offset i64, index u64 |
/// | 40 | end of the batch in flight, likewise; segment 0: none |
/// | 64 | failed attempts u32, whether the destination requested the pause u32; not before, ns since 1970 i64 |
struct SpoolCursorFile {
    private static let format = SlotFile.Format(name: "cursor", magic: 0x3152_4354, size: 128, length: { _ in 128 })
    private let slots: SlotFile
    private var generation: UInt64
    /// The cursor that was in it when it was opened; `nil`: none.
    let stored: SpoolCursor?

    init(directory: String) throws(SystemError) {
        slots = try SlotFile(Self.format, in: directory)
        let newest = SlotFile.read(Self.format, in: directory).first
        generation = newest?.generation ?? 0
        stored = newest.map { Self.cursor($0.content) }
    }

    /// Reads the newest intact cursor.
    static func read(directory: String) -> SpoolCursor? {
        SlotFile.read(format, in: directory).first.map { cursor($0.content) }
    }

    /// Offsets are those in the slot without its header.
    private static func cursor(_ content: [UInt8]) -> SpoolCursor {
        content.withUnsafeBytes { bytes in
            func position(_ offset: Int) -> SpoolPosition {
                SpoolPosition(
                    segment: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                    offset: bytes.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self),
                    index: Int(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self)))
            }
            let end = position(24)
            return SpoolCursor(
                position: position(0), flying: end.segment == 0 ? nil : end,
                failures: bytes.loadUnaligned(fromByteOffset: 48, as: UInt32.self),
                notBefore: bytes.loadUnaligned(fromByteOffset: 56, as: Int64.self),
                isRequested: bytes.loadUnaligned(fromByteOffset: 52, as: UInt32.self) != 0)
        }
    }

    /// Stores a cursor.
    mutating func write(_ cursor: SpoolCursor) throws(SystemError) {
        generation &+= 1
        var content = [UInt8](repeating: 0, count: Self.format.size - SlotFile.headerSize)
        content.withUnsafeMutableBytes { bytes in
            func store(_ position: SpoolPosition, at offset: Int) {
                bytes.storeBytes(of: position.segment, toByteOffset: offset, as: UInt64.self)
                bytes.storeBytes(of: position.offset, toByteOffset: offset + 8, as: Int64.self)
                bytes.storeBytes(of: UInt64(position.index), toByteOffset: offset + 16, as: UInt64.self)
            }
            store(cursor.position, at: 0)
            if let end = cursor.flying { store(end, at: 24) }
            bytes.storeBytes(of: cursor.failures, toByteOffset: 48, as: UInt32.self)
            bytes.storeBytes(of: cursor.isRequested ? 1 : 0, toByteOffset: 52, as: UInt32.self)
            bytes.storeBytes(of: cursor.notBefore, toByteOffset: 56, as: Int64.self)
        }
        try slots.write(content, generation: generation)
    }

    /// Makes the cursor that was written last survive power loss.
    func synchronize() throws(SystemError) { try slots.synchronize() }
}
