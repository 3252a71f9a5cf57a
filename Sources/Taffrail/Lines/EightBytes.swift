/// Tests on eight bytes at once. Differences borrow from byte to byte, so the tests reliably show whether any byte
/// matches, but not which one.
enum EightBytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// Copies one to seven bytes and returns them in one word, with repetitions, padded with letters.
    @inline(__always)
    static func copyShort(_ from: UnsafeRawPointer, _ count: Int, to: UnsafeMutableRawPointer) -> UInt64 {
        if count >= 4 {
            let head = from.loadUnaligned(as: UInt32.self)
            let tail = (from + count - 4).loadUnaligned(as: UInt32.self)
            to.storeBytes(of: head, as: UInt32.self)
            (to + count - 4).storeBytes(of: tail, as: UInt32.self)
            return UInt64(head) << 32 | UInt64(tail)
        }
        // One to three bytes: the first, the middle and the last cover all.
        let first = from.load(as: UInt8.self)
        let middle = from.load(fromByteOffset: count >> 1, as: UInt8.self)
        let last = from.load(fromByteOffset: count - 1, as: UInt8.self)
        to.storeBytes(of: first, as: UInt8.self)
        to.storeBytes(of: middle, toByteOffset: count >> 1, as: UInt8.self)
        to.storeBytes(of: last, toByteOffset: count - 1, as: UInt8.self)
        return 0x6161_6161_6100_0000 | UInt64(first) << 16 | UInt64(middle) << 8 | UInt64(last)
    }

    /// Whether a byte is below `limit` (at most 0x7E), DEL or not ASCII: a non-ASCII byte has its highest bit set after
    /// one of the two operations, whatever is carried between bytes.
    @inline(__always)
    static func hasByte(below limit: UInt64, _ word: UInt64) -> Bool {
        ((word &- limit &* ones) | (word &+ ones)) & tops != 0
    }

    /// Not 0 if an ASCII byte equals `byte`; only the highest bits are significant.
    @inline(__always)
    static func equal(_ byte: UInt8, _ word: UInt64) -> UInt64 { (word ^ (UInt64(byte) &* ones)) &- ones }

    /// Whether a byte is below `limit`, DEL, not ASCII, or was found by ``equal(_:_:)``.
    @inline(__always)
    static func hasByte(below limit: UInt64, orMarked marks: UInt64, _ word: UInt64) -> Bool {
        (marks | (word &- limit &* ones) | (word &+ ones)) & tops != 0
    }
}
