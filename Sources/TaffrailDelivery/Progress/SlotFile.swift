internal import Taffrail

/// A file of two slots that are written in turn, so that a kill leaves one of them intact. Little-endian.
///
/// | offset in a slot | field |
/// |---|---|
/// | 0 | magic u32, CRC32C of the rest u32 |
/// | 8 | generation u64: the slot with the higher one counts |
/// | 16 | the content |
///
/// Any thread may call, one at a time.
final class SlotFile: Sendable {
    /// The properties of a kind of slots.
    struct Format: Sendable {
        let name: String
        let magic: UInt32
        /// The size of a slot.
        let size: Int
        /// The number of bytes in use, according to the slot's own content; `nil` if it is damaged. A slot with fewer
        /// bytes is damaged, too.
        let length: @Sendable (UnsafeRawBufferPointer) -> Int?
    }

    /// An intact slot.
    struct Slot: Sendable {
        let generation: UInt64
        let content: [UInt8]
    }

    /// What was written last, until it is synchronized.
    private struct Unsynchronized {
        let bytes: [UInt8]
        let offset: Int64
        /// Whether an attempt to synchronize the file has failed.
        var hasFailed: Bool
    }

    static let headerSize = 16
    private let file: FileDescriptor
    private let format: Format
    private let unsynchronized = Locked<Unsynchronized?>(nil)

    init(_ format: Format, in directory: String) throws(SystemError) {
        self.format = format
        file = try FileDescriptor(directory + "/" + format.name, [.readWrite, .create, .ownFile])
        file.handOver(toOwnerOf: directory)
    }

    /// Returns the intact slots, newest first.
    static func read(_ format: Format, in directory: String) -> [Slot] {
        guard let file = try? FileDescriptor(directory + "/" + format.name, [.read, .ownFile]) else { return [] }
        return [0, 1].compactMap { number -> Slot? in
            guard let bytes = try? file.read(format.size, at: Int64(number * format.size)) else { return nil }
            return slot(bytes, format)
        }.sorted { $0.generation > $1.generation }
    }

    private static func slot(_ bytes: [UInt8], _ format: Format) -> Slot? {
        bytes.withUnsafeBytes { bytes in
            guard bytes.count >= headerSize, bytes.loadUnaligned(as: UInt32.self) == format.magic,
                let length = format.length(bytes), length >= headerSize, length <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == sum(bytes[..<length])
            else { return nil }
            return Slot(
                generation: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                content: Array(bytes[headerSize..<length]))
        }
    }

    private static func sum(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt32 {
        Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(8)))
    }

    /// Writes the slot of a generation.
    ///
    /// - Throws: EINVAL if the content does not fit.
    func write(_ content: [UInt8], generation: UInt64) throws(SystemError) {
        guard Self.headerSize + content.count <= format.size else {
            throw SystemError("write \(format.name)", code: Errno.invalid)
        }
        var slot = [UInt8](repeating: 0, count: Self.headerSize)
        slot += content
        slot.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: format.magic, as: UInt32.self)
            bytes.storeBytes(of: generation, toByteOffset: 8, as: UInt64.self)
            bytes.storeBytes(of: Self.sum(UnsafeRawBufferPointer(bytes)[...]), toByteOffset: 4, as: UInt32.self)
        }
        let (bytes, offset) = (slot, Int64(generation % 2) * Int64(format.size))
        try file.write(bytes, at: offset)
        unsynchronized.withLock {
            $0 = Unsynchronized(bytes: bytes, offset: offset, hasFailed: $0?.hasFailed ?? false)
        }
    }

    /// Makes what was written last survive power loss.
    func synchronize() throws(SystemError) {
        guard let last = unsynchronized.withLock({ $0 }) else { return }
        // The system reports a failure once, and discards the data that it could not write.
        if last.hasFailed { try file.write(last.bytes, at: last.offset) }
        unsynchronized.withLock { $0?.hasFailed = true }
        try file.synchronize()
        unsynchronized.withLock { $0 = nil }
    }
}
