/// What text becomes on its way into a line.
protocol EscapeRule {
    /// Whether one of eight bytes needs a closer look. It may say yes for nothing, but never no for something.
    static func isSpecial(_ word: UInt64) -> Bool
    /// The same for 32 bytes. Default: asks for each eight of them.
    static func isSpecial(_ one: SIMD2<UInt64>, _ two: SIMD2<UInt64>) -> Bool
    /// Whether an ASCII character stays as it is.
    static func staysAsIs(_ byte: UInt8) -> Bool
    /// Appends a character that does not: its escape, or its bytes where it needs none after all. `nil` stands for a
    /// byte that is no UTF-8.
    static func append(_ scalar: UInt32?, _ bytes: UnsafeRawBufferPointer, to buffer: inout LineBuffer)
}

extension EscapeRule {
    @inline(__always)
    static func isSpecial(_ one: SIMD2<UInt64>, _ two: SIMD2<UInt64>) -> Bool {
        isSpecial(one[0]) || isSpecial(one[1]) || isSpecial(two[0]) || isSpecial(two[1])
    }
}

/// Keeps text on one line, and from changing how the rest of the line looks.
///
/// What is escaped in every format: control characters (C0 but TAB, DEL, C1 with U+0085), the line and paragraph
/// separators U+2028 and U+2029, and what turns the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E,
/// U+2066 to U+2069). Bytes that are no UTF-8 become U+FFFD.
enum EscapedText {
    /// Appends text, by a rule; 32 bytes at a time while nothing in them is special.
    @inline(__always)
    static func append<Rule: EscapeRule>(
        _ text: UnsafeRawBufferPointer, by rule: Rule.Type, to buffer: inout LineBuffer
    ) {
        guard let from = text.baseAddress else { return }
        let count = text.count
        guard count >= 8 else { return appendShort(from, count, by: rule, to: &buffer) }
        buffer.reserve(count)
        let to = buffer.end
        var place = 0
        while place &+ 32 <= count {
            let one = (from + place).loadUnaligned(as: SIMD2<UInt64>.self)
            let two = (from + place).loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self)
            if Rule.isSpecial(one, two) { return appendSlowly(text, from: place, by: rule, to: &buffer) }
            (to + place).storeBytes(of: one, as: SIMD2<UInt64>.self)
            (to + place).storeBytes(of: two, toByteOffset: 16, as: SIMD2<UInt64>.self)
            place &+= 32
        }
        while place &+ 8 <= count {
            let word = (from + place).loadUnaligned(as: UInt64.self)
            if Rule.isSpecial(word) { return appendSlowly(text, from: place, by: rule, to: &buffer) }
            (to + place).storeBytes(of: word, as: UInt64.self)
            place &+= 8
        }
        if place < count {
            // The last eight bytes, some of which have been copied already.
            let word = (from + count - 8).loadUnaligned(as: UInt64.self)
            if Rule.isSpecial(word) { return appendSlowly(text, from: place, by: rule, to: &buffer) }
            (to + count - 8).storeBytes(of: word, as: UInt64.self)
        }
        buffer.advance(count)
    }

    /// Appends at most seven bytes.
    @inline(__always)
    private static func appendShort<Rule: EscapeRule>(
        _ from: UnsafeRawPointer, _ count: Int, by rule: Rule.Type, to buffer: inout LineBuffer
    ) {
        guard count > 0 else { return }
        buffer.reserve(8)
        if Rule.isSpecial(EightBytes.copyShort(from, count, to: buffer.end)) {
            return appendSlowly(UnsafeRawBufferPointer(start: from, count: count), from: 0, by: rule, to: &buffer)
        }
        buffer.advance(count)
    }

    /// Appends the rest of a text, of which `start` bytes lie behind the buffer's end already.
    @inline(never)
    @_specialize(where Rule == LineEscape)
    @_specialize(where Rule == QuoteEscape)
    @_specialize(where Rule == JSONEscape)
    private static func appendSlowly<Rule: EscapeRule>(
        _ text: UnsafeRawBufferPointer, from start: Int, by rule: Rule.Type, to buffer: inout LineBuffer
    ) {
        guard let from = text.baseAddress else { return }
        buffer.advance(start)
        var place = start
        while place < text.count {
            if place + 8 <= text.count {
                let word = (from + place).loadUnaligned(as: UInt64.self)
                if !Rule.isSpecial(word) {
                    buffer.reserve(8)
                    buffer.end.storeBytes(of: word, as: UInt64.self)
                    buffer.advance(8)
                    place += 8
                    continue
                }
            }
            let byte = text[place]
            if byte < 0x80 && Rule.staysAsIs(byte) {
                buffer.append(byte)
                place += 1
            } else {
                let (scalar, length) = scalar(at: place, in: text)
                Rule.append(scalar, UnsafeRawBufferPointer(rebasing: text[place..<place + length]), to: &buffer)
                place += length
            }
        }
    }

    /// Whether a character that is not printable ASCII would break the line or turn its direction.
    static func mustBeEscaped(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The character at an offset and its length in bytes; `nil` and 1 where the bytes are no UTF-8.
    static func scalar(at place: Int, in text: UnsafeRawBufferPointer) -> (scalar: UInt32?, length: Int) {
        let first = text[place]
        let length: Int
        let least: UInt32
        var scalar: UInt32
        switch first {
        case 0..<0x80: return (UInt32(first), 1)
        case 0xC2..<0xE0: (length, least, scalar) = (2, 0x80, UInt32(first & 0x1F))
        case 0xE0..<0xF0: (length, least, scalar) = (3, 0x800, UInt32(first & 0x0F))
        case 0xF0..<0xF5: (length, least, scalar) = (4, 0x1_0000, UInt32(first & 0x07))
        default: return (nil, 1)
        }
        guard place + length <= text.count else { return (nil, 1) }
        for index in 1..<length {
            let next = text[place + index]
            guard next & 0xC0 == 0x80 else { return (nil, 1) }
            scalar = scalar << 6 | UInt32(next & 0x3F)
        }
        guard scalar >= least, scalar <= 0x10_FFFF, !(0xD800..<0xE000).contains(scalar) else { return (nil, 1) }
        return (scalar, length)
    }
}

/// Tests on eight bytes at once. Differences borrow from byte to byte, so which byte it is they do not tell for sure;
/// that any is, they do.
enum EightBytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// Copies one to seven bytes and returns them in one word, some of them twice, with letters where none are left.
    @inline(__always)
    static func copyShort(_ from: UnsafeRawPointer, _ count: Int, to: UnsafeMutableRawPointer) -> UInt64 {
        if count >= 4 {
            let head = from.loadUnaligned(as: UInt32.self)
            let tail = (from + count - 4).loadUnaligned(as: UInt32.self)
            to.storeBytes(of: head, as: UInt32.self)
            (to + count - 4).storeBytes(of: tail, as: UInt32.self)
            return UInt64(head) << 32 | UInt64(tail)
        }
        // One to three bytes: the first, the middle one and the last are all.
        let first = from.load(as: UInt8.self)
        let middle = from.load(fromByteOffset: count >> 1, as: UInt8.self)
        let last = from.load(fromByteOffset: count - 1, as: UInt8.self)
        to.storeBytes(of: first, as: UInt8.self)
        to.storeBytes(of: middle, toByteOffset: count >> 1, as: UInt8.self)
        to.storeBytes(of: last, toByteOffset: count - 1, as: UInt8.self)
        return 0x6161_6161_6100_0000 | UInt64(first) << 16 | UInt64(middle) << 8 | UInt64(last)
    }

    /// Whether one is below `limit` (at most 0x80), DEL or not ASCII.
    @inline(__always)
    static func hasByte(below limit: UInt64, _ word: UInt64) -> Bool {
        (word | (word &- limit &* ones) | (word &+ ones)) & tops != 0
    }

    /// Whether one of 32 is below `limit` (at most 0x80), DEL or not ASCII.
    @inline(__always)
    static func hasByte(below limit: UInt64, _ one: SIMD2<UInt64>, _ two: SIMD2<UInt64>) -> Bool {
        let low = SIMD2(repeating: limit &* ones)
        let step = SIMD2(repeating: ones)
        let marks = one | two | (one &- low) | (two &- low) | (one &+ step) | (two &+ step)
        return (marks[0] | marks[1]) & tops != 0
    }

    /// Whether one of 32 is below `limit` (at most 0x80), DEL, not ASCII, or one of two ASCII characters.
    @inline(__always)
    static func hasByte(
        below limit: UInt64, or first: UInt8, or second: UInt8, _ one: SIMD2<UInt64>, _ two: SIMD2<UInt64>
    ) -> Bool {
        let step = SIMD2(repeating: ones)
        let low = SIMD2(repeating: limit &* ones)
        let firsts = SIMD2(repeating: UInt64(first) &* ones)
        let seconds = SIMD2(repeating: UInt64(second) &* ones)
        let equal =
            ((one ^ firsts) &- step) | ((two ^ firsts) &- step) | ((one ^ seconds) &- step)
            | ((two ^ seconds) &- step)
        let marks = equal | one | two | (one &- low) | (two &- low) | (one &+ step) | (two &+ step)
        return (marks[0] | marks[1]) & tops != 0
    }

    /// Not 0 where an ASCII byte equals `byte`; only the highest bits count.
    @inline(__always)
    static func equal(_ byte: UInt8, _ word: UInt64) -> UInt64 { (word ^ (UInt64(byte) &* ones)) &- ones }

    /// Whether one is below `limit`, DEL, not ASCII, or has been found by ``equal(_:_:)``.
    @inline(__always)
    static func hasByte(below limit: UInt64, orMarked marks: UInt64, _ word: UInt64) -> Bool {
        (word | marks | (word &- limit &* ones) | (word &+ ones)) & tops != 0
    }
}
