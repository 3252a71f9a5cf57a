/// The operation that the holder of a log's lock is about to perform, as stored in the log's slot of the state file.
/// Little-endian.
///
/// | offset in the slot | field |
/// |---|---|
/// | 320 | word: kind in the low byte, CRC32C of the following fields in the upper half; 0 when there is no intent |
/// | 328 | device u64, inode u64, birth time i64 of the file |
/// | 352 | start: the file's size before the block i64 |
/// | 360 | end: the ring position after the block u64 |
/// | 368 | run u64 |
/// | 376 | boot id, 16 bytes |
/// | 392 | slot of the sink in the ring's table u32, length of the text u32 |
/// | 400 | text: the ring's file, or the new name of a rotation |
///
/// A ring's file in the directory of the state file is stored as its name alone. The fields are written first and the
/// word last, as one store; a kill at any point leaves a complete intent or none.
package struct WriteIntent: Equatable {
    package enum Kind: UInt8 {
        /// A block is being written.
        case block = 1
        /// The live file is being renamed.
        case rotation = 2
    }

    package var kind: Kind
    package var file: FileIdentity
    package var start: Int64 = 0
    package var end: UInt64 = 0
    package var run = RingID.none
    package var boot = BootID.current
    package var sinkSlot = 0
    /// The ring's path or name, or the target of the rotation; empty for a block without a ring.
    package var text: [UInt8] = []

    static let offset = 320
    private static let fieldsOffset = 328
    private static let textOffset = 400
    /// The longest text of a slot.
    static let longestText = StateFile.slotSize - textOffset
}

extension WriteIntent {
    /// Writes all fields, and the word last.
    func store(in slot: UnsafeMutableRawPointer) {
        let at = slot + Self.fieldsOffset
        at.storeBytes(of: file.device, as: UInt64.self)
        at.storeBytes(of: file.inode, toByteOffset: 8, as: UInt64.self)
        at.storeBytes(of: file.birth, toByteOffset: 16, as: Int64.self)
        at.storeBytes(of: start, toByteOffset: 24, as: Int64.self)
        at.storeBytes(of: end, toByteOffset: 32, as: UInt64.self)
        at.storeBytes(of: run.value, toByteOffset: 40, as: UInt64.self)
        at.storeBytes(of: boot.high, toByteOffset: 48, as: UInt64.self)
        at.storeBytes(of: boot.low, toByteOffset: 56, as: UInt64.self)
        at.storeBytes(of: UInt32(truncatingIfNeeded: sinkSlot), toByteOffset: 64, as: UInt32.self)
        let length = min(text.count, Self.longestText)
        at.storeBytes(of: UInt32(truncatingIfNeeded: length), toByteOffset: 68, as: UInt32.self)
        text.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress, length > 0 {
                (slot + Self.textOffset).copyMemory(from: source, byteCount: length)
            }
        }
        SharedWord.store(Self.word(kind, in: slot, textLength: length), at: slot + Self.offset)
    }

    /// Reads the intent of a slot; `nil` when there is none, or it is damaged, which only a crash of the machine can
    /// cause.
    package init?(in slot: UnsafeMutableRawPointer) {
        let word = SharedWord.load(slot + Self.offset)
        let at = slot + Self.fieldsOffset
        let length = Int(at.load(fromByteOffset: 68, as: UInt32.self))
        guard word != 0, let kind = Kind(rawValue: UInt8(truncatingIfNeeded: word)), length <= Self.longestText,
            word == Self.word(kind, in: slot, textLength: length)
        else { return nil }
        self.kind = kind
        file = FileIdentity(
            device: at.load(as: UInt64.self), inode: at.load(fromByteOffset: 8, as: UInt64.self),
            birth: at.load(fromByteOffset: 16, as: Int64.self))
        start = at.load(fromByteOffset: 24, as: Int64.self)
        end = at.load(fromByteOffset: 32, as: UInt64.self)
        run = RingID(at.load(fromByteOffset: 40, as: UInt64.self))
        boot = BootID(
            high: at.load(fromByteOffset: 48, as: UInt64.self), low: at.load(fromByteOffset: 56, as: UInt64.self))
        sinkSlot = Int(at.load(fromByteOffset: 64, as: UInt32.self))
        text = [UInt8](UnsafeRawBufferPointer(start: slot + Self.textOffset, count: length))
    }

    /// Returns the end of an intent with a text of that length in its slot.
    static func end(textLength: Int) -> Int { textOffset + min(textLength, longestText) }

    /// Returns whether a slot has an intent, even a damaged one.
    @inline(__always)
    package static func isPresent(in slot: UnsafeMutableRawPointer) -> Bool { SharedWord.load(slot + offset) != 0 }

    @inline(__always)
    static func clear(in slot: UnsafeMutableRawPointer) { SharedWord.store(0, at: slot + offset) }

    private static func word(_ kind: Kind, in slot: UnsafeMutableRawPointer, textLength: Int) -> UInt64 {
        let checked = UnsafeRawBufferPointer(start: slot + fieldsOffset, count: textOffset - fieldsOffset + textLength)
        return UInt64(Checksum.crc32c(checked)) << 32 | UInt64(kind.rawValue)
    }

    /// The origin of the records of a file sink's current batch, as stored in the intents of its blocks.
    struct Origin {
        /// The sink's position in the ring; `nil` without a ring.
        private(set) var checkpoint: SinkCheckpoint?
        /// The ring's path as stored in an intent: only the file name if it is in the directory of the log's state file.
        /// Empty for a queue in memory, and if it is too long.
        private(set) var ring: [UInt8] = []
        private var hasReported = false

        /// Changes to the origin of a batch.
        ///
        /// - Parameter log: The log in whose state file the intents are.
        /// - Returns: Whether the path of its ring is too long for an intent, which must be reported once.
        mutating func set(_ checkpoint: SinkCheckpoint?, of log: @autoclosure () -> LogPath) -> Bool {
            if self.checkpoint === checkpoint { return false }
            self.checkpoint = checkpoint
            ring = Array((checkpoint?.ringPath ?? "").utf8)
            if ring.isEmpty { return false }
            let beside = Array((log().state + "/").utf8)
            if ring.starts(with: beside) && !ring.dropFirst(beside.count).contains(UInt8(ascii: "/")) {
                ring.removeFirst(beside.count)
            }
            guard ring.count > WriteIntent.longestText else { return false }
            ring = []
            defer { hasReported = true }
            return !hasReported
        }
    }

    /// Returns the path of the ring of a block.
    func ringPath(of log: LogPath) -> String {
        let path = String(decoding: text, as: UTF8.self)
        return text.contains(UInt8(ascii: "/")) ? path : log.state + "/" + path
    }
}
