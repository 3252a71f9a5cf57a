internal import Taffrail

/// What a sink continues with that does not send the records of the queue, but what it makes of them.
struct SpoolKept: Sendable, Equatable {
    /// Grows with each change.
    var generation: UInt64 = 0
    /// How far the sink has taken the records of runs, including those of which nothing is sent.
    var marks = SpoolMarks()
    /// The sink's own state.
    var state: [UInt8] = []

    /// The state as it ends a frame.
    var trailer: [UInt8] {
        var bytes = withUnsafeBytes(of: generation.littleEndian) { Array($0) }
        bytes += state
        return bytes
    }
}

/// The file `state`: two slots that are written in turn, so that a kill leaves one of them intact. Little-endian.
///
/// What a frame has is not here: whichever has the higher generation counts.
///
/// | offset in a slot | field |
/// |---|---|
/// | 0 | magic u32, CRC32C of the rest u32 |
/// | 8 | generation u64: the slot with the higher one counts |
/// | 16 | number of marks u32, length of the state u32 |
/// | 24 | marks, as in a segment's header; the state |
final class SpoolKeptFile: Sendable {
    private let file: FileDescriptor
    private static let slotSize = 32 << 10
    private static let headerSize = 24
    private static let magic: UInt32 = 0x3154_5354

    private static func path(_ directory: String) -> String { directory + "/state" }

    init(directory: String) throws(SystemError) {
        file = try FileDescriptor(Self.path(directory), [.readWrite, .create, .ownFile])
        file.handOver(toOwnerOf: directory)
    }

    /// Reads the newest intact slot; `nil` if there is none.
    static func read(directory: String) -> SpoolKept? {
        guard let file = try? FileDescriptor(path(directory), [.read, .ownFile]) else { return nil }
        let slots = [0, 1].compactMap { slot in
            (try? file.read(slotSize, at: Int64(slot * slotSize))).flatMap { kept($0) }
        }
        return slots.max { $0.generation < $1.generation }
    }

    private static func kept(_ bytes: [UInt8]) -> SpoolKept? {
        guard bytes.count >= headerSize else { return nil }
        return bytes.withUnsafeBytes { all in
            let count = Int(all.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
            let stateLength = Int(all.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
            guard all.loadUnaligned(as: UInt32.self) == magic, count <= SpoolMarks.limit, stateLength <= slotSize,
                case let start = headerSize + SpoolMarks.Mark.size * count, start + stateLength <= all.count,
                all.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
                    == Checksum.crc32c(UnsafeRawBufferPointer(rebasing: all[8..<start + stateLength]))
            else { return nil }
            var kept = SpoolKept(generation: all.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            for index in 0..<count {
                kept.marks.set(SpoolMarks.Mark(all, at: headerSize + SpoolMarks.Mark.size * index))
            }
            kept.state = Array(all[start..<start + stateLength])
            return kept
        }
    }

    /// Writes a slot.
    func write(_ kept: SpoolKept) throws(SystemError) {
        let start = Self.headerSize + SpoolMarks.Mark.size * kept.marks.all.count
        var bytes = [UInt8](repeating: 0, count: start)
        bytes += kept.state
        guard bytes.count <= Self.slotSize else { throw SystemError("write a state", code: Errno.invalid) }
        bytes.withUnsafeMutableBytes { all in
            all.storeBytes(of: Self.magic, as: UInt32.self)
            all.storeBytes(of: kept.generation, toByteOffset: 8, as: UInt64.self)
            all.storeBytes(of: UInt32(kept.marks.all.count), toByteOffset: 16, as: UInt32.self)
            all.storeBytes(of: UInt32(kept.state.count), toByteOffset: 20, as: UInt32.self)
            for (index, mark) in kept.marks.all.enumerated() {
                mark.store(in: all, at: Self.headerSize + SpoolMarks.Mark.size * index)
            }
            let sum = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(all)[8...]))
            all.storeBytes(of: sum, toByteOffset: 4, as: UInt32.self)
        }
        try file.write(bytes, at: Int64(kept.generation % 2) * Int64(Self.slotSize))
    }

    /// Makes it survive power loss.
    func synchronize() throws(SystemError) { try file.synchronize() }
}

extension SpoolMarks.Mark {
    /// Run, ring position and last sequence number.
    static let size = 24

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        self.init(
            run: RingID(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
            position: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self),
            sequence: bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
    }

    func store(in bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        bytes.storeBytes(of: run.value, toByteOffset: offset, as: UInt64.self)
        bytes.storeBytes(of: position, toByteOffset: offset + 8, as: UInt64.self)
        bytes.storeBytes(of: sequence, toByteOffset: offset + 16, as: UInt64.self)
    }
}
