internal import Synchronization

/// The attributes that every record of a pipeline gets: encoded once, copied into each record at the call.
///
/// A record takes them without a lock: the version is odd while they change, and whoever reads compares it before
/// and after. A call does not wait for the thread that changes them, which may be slow, or missing in a forked child:
/// after some tries the record is left without them.
struct AmbientContext: @unchecked Sendable {
    /// What all providers together may take, in encoded bytes.
    static let limit = 512
    private static let headLength = 16
    /// How often a record tries: for some microseconds, many times what a change takes.
    private static let tries = 10_000

    private let base: UnsafeMutableRawPointer

    /// Makes an empty context, which lives as long as the process.
    init() {
        base = .allocate(byteCount: Self.headLength + Self.limit, alignment: 64)
        base.initializeMemory(as: UInt8.self, repeating: 0, count: Self.headLength + Self.limit)
    }

    @inline(__always)
    private func word(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// Copies the attributes of this moment to `room`, which has ``limit`` bytes, and returns their length.
    @inline(__always)
    func copy(to room: UnsafeMutableRawPointer) -> Int {
        if word(8).pointee.load(ordering: .relaxed) == 0 { return 0 }
        return copyWords(to: room)
    }

    @inline(never)
    private func copyWords(to room: UnsafeMutableRawPointer) -> Int {
        for _ in 0..<Self.tries {
            let before = word(0).pointee.load(ordering: .acquiring)
            guard before & 1 == 0 else { continue }
            let length = Int(word(8).pointee.load(ordering: .relaxed))
            for offset in stride(from: 0, to: min(length, Self.limit), by: 8) {
                let bytes = word(Self.headLength + offset).pointee.load(ordering: .relaxed)
                room.storeBytes(of: bytes, toByteOffset: offset, as: UInt64.self)
            }
            atomicMemoryFence(ordering: .acquiring)
            guard word(0).pointee.load(ordering: .relaxed) == before else { continue }
            return length
        }
        return 0
    }

    /// Replaces the attributes. One caller at a time.
    ///
    /// - Parameter bytes: Encoded attributes, at most ``limit`` bytes.
    func replace(_ bytes: [UInt8]) {
        let version = begin()
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            var packed: UInt64 = 0
            for (index, byte) in bytes[offset..<min(offset + 8, bytes.count)].enumerated() {
                packed |= UInt64(byte) << (8 * UInt64(index))
            }
            word(Self.headLength + offset).pointee.store(packed, ordering: .relaxed)
        }
        word(8).pointee.store(UInt64(bytes.count), ordering: .relaxed)
        word(0).pointee.store(version &+ 1, ordering: .releasing)
    }

    /// Begins a change: records do not take the attributes until it ends.
    ///
    /// - Returns: The version meanwhile. In a forked child it may have been odd before.
    func begin() -> UInt64 {
        let version = word(0).pointee.load(ordering: .relaxed) | 1
        word(0).pointee.store(version, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        return version
    }
}
