/// Caches `,"file":"…","line":57,"function":"…"` of recent call sites: a program has few, and each logs often.
///
/// A table that fits the processor's cache. Each entry has the latest call site with its hash. Confined to the writer
/// thread.
final class JSONSourceCache {
    private static let entryCount = 64
    private static let entrySize = 256
    /// The offsets of names and text in an entry, after the numbers and the text's length.
    private static let names = 16
    private static let text = 112

    private let table: UnsafeMutableRawPointer

    init() {
        table = .allocate(byteCount: Self.entryCount * Self.entrySize, alignment: 64)
        table.initializeMemory(as: UInt8.self, repeating: 0, count: Self.entryCount * Self.entrySize)
    }

    deinit { table.deallocate() }

    /// Appends the source location of a record, whose file name is not empty.
    @inline(__always)
    func append(_ names: SourceNames, line: UInt32, to buffer: inout LineBuffer) {
        let source = names.both
        let numbers = names.lengths | UInt64(line) &<< 32
        var hash = numbers
        if source.count >= 8, let base = source.baseAddress {
            hash ^= (base + source.count / 2 - 4).loadUnaligned(as: UInt64.self)
        }
        let index = Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) &>> 58)
        let entry = table + index * Self.entrySize
        if entry.load(as: UInt64.self) == numbers, source.baseAddress != nil,
            ByteSearch.isEqual(entry + Self.names, source)
        {
            let count = entry.load(fromByteOffset: 8, as: Int.self)
            buffer.append(UnsafeRawBufferPointer(start: entry + Self.text, count: count))
        } else {
            render(names, line: line, numbers, at: entry, to: &buffer)
        }
    }

    @inline(never)
    private func render(
        _ names: SourceNames, line: UInt32, _ numbers: UInt64, at entry: UnsafeMutableRawPointer,
        to buffer: inout LineBuffer
    ) {
        let start = buffer.count
        buffer.append(",\"file\":")
        buffer.append(rarelyQuoted: names.file, by: JSONEscape.self)
        buffer.append(",\"line\":")
        buffer.append(decimal: UInt64(line))
        buffer.append(",\"function\":")
        buffer.append(rarelyQuoted: names.function, by: JSONEscape.self)
        let text = UnsafeRawBufferPointer(rebasing: buffer.bytes[start...])
        let source = names.both
        guard source.count <= Self.text - Self.names, text.count <= Self.entrySize - Self.text,
            let sourceBytes = source.baseAddress, let bytes = text.baseAddress
        else { return }
        entry.storeBytes(of: numbers, as: UInt64.self)
        entry.storeBytes(of: text.count, toByteOffset: 8, as: Int.self)
        (entry + Self.names).copyMemory(from: sourceBytes, byteCount: source.count)
        (entry + Self.text).copyMemory(from: bytes, byteCount: text.count)
    }
}
