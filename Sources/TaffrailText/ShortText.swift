/// A text of at most 32 bytes, written from its end to its start and without memory of its own: numbers and moments.
package struct ShortText {
    private var bytes = InlineArray<32, UInt8>(repeating: 0)
    private var start = 32

    package init() {}

    /// Puts an ASCII character before the rest.
    @inline(__always)
    package mutating func prepend(_ character: Unicode.Scalar) { put(UInt8(ascii: character)) }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        start &-= 1
        bytes[start] = byte
    }

    /// Puts a whole number before the rest.
    @inline(__always)
    package mutating func prepend(_ number: UInt) {
        var rest = number
        repeat {
            let tenth = rest / 10
            put(48 &+ UInt8(truncatingIfNeeded: rest &- tenth &* 10))
            rest = tenth
        } while rest > 0
    }

    /// Puts the last `width` digits of a number before the rest, with leading zeros.
    @inline(__always)
    package mutating func prepend(_ number: UInt, width: Int) {
        var rest = number
        for _ in 0..<width {
            let tenth = rest / 10
            put(48 &+ UInt8(truncatingIfNeeded: rest &- tenth &* 10))
            rest = tenth
        }
    }

    /// Lends the bytes.
    package func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        bytes.span.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start...])) }
    }
}
