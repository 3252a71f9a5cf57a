/// The sum of a stretch's lines, each folded into those before, so that it is the same however they came in blocks.
struct StretchSum: Equatable {
    private(set) var value: UInt64 = 0

    /// Adds a line, without its newline.
    @inline(__always)
    mutating func add(line: UnsafeRawBufferPointer) {
        var count = line.count
        if count > 0, line[count - 1] == 0x0D { count -= 1 }
        let whole = count & ~15
        if whole > 0 { value = Checksum.lanes(UnsafeRawBufferPointer(rebasing: line[..<whole]), seed: value) }
        // What is left has at most 15 bytes; the last byte is its length.
        var rest = (UInt64(0), UInt64(count - whole) << 56)
        withUnsafeMutableBytes(of: &rest) { rest in
            if whole < count { rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: line[whole..<count])) }
            value = Checksum.lanes(UnsafeRawBufferPointer(rest), seed: value)
        }
    }

    /// Adds whole lines.
    mutating func add(block: UnsafeRawBufferPointer) {
        var rest = block
        while let end = ByteSearch.firstIndex(of: 0x0A, in: rest) {
            add(line: UnsafeRawBufferPointer(rebasing: rest[..<end]))
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
    }
}
