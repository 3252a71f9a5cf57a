/// The checksum of a stretch's lines: two CRC32C lanes over all its bytes, independent of the division into blocks.
package struct StretchSum {
    /// The checksum of everything before ``rest``.
    private var lanes = UInt64.max
    /// Bytes that do not fill 16 yet, padded with zeros. The last byte is their count.
    private var rest = (UInt64(0), UInt64(0))
    private var restCount = 0

    package init() {}

    package var value: UInt64 {
        var last = rest
        last.1 |= UInt64(truncatingIfNeeded: restCount) << 56
        return withUnsafeBytes(of: &last) { Checksum.lanes($0, after: lanes) }
    }

    /// Adds lines with their newlines, or a part of them.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var bytes = bytes
        if restCount > 0 {
            let taken = min(16 - restCount, bytes.count)
            keep(bytes.prefix(taken))
            guard restCount == 16 else { return }
            lanes = withUnsafeBytes(of: &rest) { [lanes] in Checksum.lanes($0, after: lanes) }
            (rest, restCount) = ((0, 0), 0)
            bytes = UnsafeRawBufferPointer(rebasing: bytes[taken...])
        }
        let whole = bytes.count & ~15
        lanes = Checksum.lanes(UnsafeRawBufferPointer(rebasing: bytes[..<whole]), after: lanes)
        keep(bytes[whole...])
    }

    private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
        guard !bytes.isEmpty else { return }
        withUnsafeMutableBytes(of: &rest) { [restCount] rest in
            UnsafeMutableRawBufferPointer(rebasing: rest[restCount...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
        }
        restCount += bytes.count
    }
}
