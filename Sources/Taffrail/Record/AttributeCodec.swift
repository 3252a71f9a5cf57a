/// The encoding of attributes in a record: entries in order, each `type u8, key length u8, key, value`; integers are
/// little-endian and unaligned.
///
/// | type | value |
/// |---|---|
/// | 1 string, 5 bytes | length u32, bytes |
/// | 2 int, 6 date | i64 (a date in nanoseconds since 1970) |
/// | 3 double | bit pattern u64 |
/// | 4 bool | u8 |
/// | 7 array | length u32, then entries with empty keys |
/// | 8 map | length u32, then entries |
package enum AttributeCodec {
    enum Kind: UInt8 {
        case string = 1
        case int, double, bool, bytes, date, array, map
    }

    /// The deepest nesting; deeper values are encoded as strings.
    static let depthLimit = 32

    // MARK: Writing

    /// Appends entries.
    static func append(_ entries: [LogValueEntry], depth: Int = 0, to scratch: Scratch) {
        for entry in entries {
            var key = entry.key
            key.withUTF8 { append(key: UnsafeRawBufferPointer($0), entry.value, depth: depth, to: scratch) }
        }
    }

    static func append(key: UnsafeRawBufferPointer, _ value: LogValue, depth: Int = 0, to scratch: Scratch) {
        let start = scratch.cursor
        if !write(key: key, value, depth: depth, to: scratch) { scratch.cursor = start }
    }

    /// Writes an entry. Returns `false` when it did not fit; the scratch then contains a part of it.
    @inline(never)
    private static func write(key: UnsafeRawBufferPointer, _ value: LogValue, depth: Int, to scratch: Scratch) -> Bool {
        let keyLength = UTF8Text.boundary(in: key, atMost: 255)
        switch value {
        case .string(var text):
            return text.withUTF8 { write(.string, key, keyLength, bytes: UnsafeRawBufferPointer($0), to: scratch) }
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { write(.bytes, key, keyLength, bytes: $0, to: scratch) }
        case .int(let number):
            return write(.int, key, keyLength, fixed: number, to: scratch)
        case .double(let number):
            return write(.double, key, keyLength, fixed: number.bitPattern, to: scratch)
        case .bool(let flag):
            return write(.bool, key, keyLength, fixed: flag ? UInt8(1) : 0, to: scratch)
        case .date(let time):
            return write(.date, key, keyLength, fixed: time.nanoseconds, to: scratch)
        case .array(let elements):
            return writeNested(.array, key, keyLength, depth, to: scratch) {
                for element in elements {
                    append(key: UnsafeRawBufferPointer(start: nil, count: 0), element, depth: depth + 1, to: scratch)
                }
            }
        case .map(let entries):
            return writeNested(.map, key, keyLength, depth, to: scratch) {
                append(entries, depth: depth + 1, to: scratch)
            }
        }
    }

    @inline(__always)
    private static func head(
        _ kind: Kind, _ key: UnsafeRawBufferPointer, _ keyLength: Int, room: Int, to scratch: Scratch
    ) -> UnsafeMutableRawPointer? {
        guard let to = scratch.append(2 + keyLength + room) else { return nil }
        to.storeBytes(of: kind.rawValue, as: UInt8.self)
        to.storeBytes(of: UInt8(truncatingIfNeeded: keyLength), toByteOffset: 1, as: UInt8.self)
        if keyLength > 0, let source = key.baseAddress { (to + 2).copyMemory(from: source, byteCount: keyLength) }
        return to + 2 + keyLength
    }

    @inline(__always)
    private static func write<T: BitwiseCopyable>(
        _ kind: Kind, _ key: UnsafeRawBufferPointer, _ keyLength: Int, fixed value: T, to scratch: Scratch
    ) -> Bool {
        guard let to = head(kind, key, keyLength, room: MemoryLayout<T>.size, to: scratch) else { return false }
        to.storeBytes(of: value, as: T.self)
        return true
    }

    @inline(__always)
    private static func write(
        _ kind: Kind, _ key: UnsafeRawBufferPointer, _ keyLength: Int, bytes: UnsafeRawBufferPointer,
        to scratch: Scratch
    ) -> Bool {
        guard let to = head(kind, key, keyLength, room: 4 + bytes.count, to: scratch) else { return false }
        to.storeBytes(of: UInt32(truncatingIfNeeded: bytes.count), as: UInt32.self)
        if let source = bytes.baseAddress { (to + 4).copyMemory(from: source, byteCount: bytes.count) }
        return true
    }

    private static func writeNested(
        _ kind: Kind, _ key: UnsafeRawBufferPointer, _ keyLength: Int, _ depth: Int, to scratch: Scratch,
        elements: () -> Void
    ) -> Bool {
        guard depth < depthLimit else {
            return write(key: key, .string("<nested too deep>"), depth: 0, to: scratch)
        }
        guard head(kind, key, keyLength, room: 4, to: scratch) != nil else { return false }
        let start = scratch.cursor
        elements()
        let length = UInt32(truncatingIfNeeded: scratch.cursor - start)
        scratch.pointer(at: start - 4).storeBytes(of: length, as: UInt32.self)
        return true
    }

    // MARK: Reading

    /// One entry. Its pointers are valid only as long as the record.
    package struct Entry {
        let kind: Kind
        /// The name's UTF-8.
        package let key: UnsafeRawBufferPointer
        /// The bytes of the value, without the length of variable-length types.
        let value: UnsafeRawBufferPointer

        var int: Int64 { value.loadUnaligned(as: Int64.self) }
        var double: Double { Double(bitPattern: value.loadUnaligned(as: UInt64.self)) }
        var bool: Bool { value[0] != 0 }
        /// The UTF-8 of a string, not copied; `nil` for another kind of value.
        package var text: UnsafeRawBufferPointer? { kind == .string ? value : nil }
        /// A copy of the value.
        package var logValue: LogValue { logValue(depth: 0) }

        fileprivate func logValue(depth: Int) -> LogValue {
            switch kind {
            case .string: .string(String(decoding: value, as: UTF8.self))
            case .int: .int(int)
            case .double: .double(double)
            case .bool: .bool(bool)
            case .bytes: .bytes([UInt8](value))
            case .date: .date(Timestamp(nanoseconds: int))
            case .array: .array(elements(depth: depth).map(\.value))
            case .map: .map(elements(depth: depth))
            }
        }

        private func elements(depth: Int) -> [LogValueEntry] {
            depth <= depthLimit ? entries(value, depth: depth + 1) : []
        }
    }

    /// Removes the first entry from `rest`; `nil` at the end, and when the bytes are invalid.
    @inline(__always)
    static func next(_ rest: inout UnsafeRawBufferPointer) -> Entry? {
        guard rest.count >= 3, let base = rest.baseAddress, let kind = Kind(rawValue: rest[0]) else { return nil }
        let keyLength = Int(rest[1])
        var offset = 2 + keyLength
        let length: Int
        switch kind {
        case .int, .double, .date: length = 8
        case .bool: length = 1
        case .string, .bytes, .array, .map:
            guard offset + 4 <= rest.count else { return nil }
            length = Int((base + offset).loadUnaligned(as: UInt32.self))
            offset += 4
        }
        guard length <= rest.count - offset else { return nil }
        let entry = Entry(
            kind: kind, key: UnsafeRawBufferPointer(start: base + 2, count: keyLength),
            value: UnsafeRawBufferPointer(start: base + offset, count: length))
        rest = UnsafeRawBufferPointer(start: base + offset + length, count: rest.count - offset - length)
        return entry
    }

    /// Decodes attributes.
    static func entries(_ bytes: [UInt8]) -> [LogValueEntry] { bytes.withUnsafeBytes { entries($0, depth: 0) } }

    private static func entries(_ bytes: UnsafeRawBufferPointer, depth: Int) -> [LogValueEntry] {
        var entries: [LogValueEntry] = []
        var rest = bytes
        while let entry = next(&rest) {
            entries.append(LogValueEntry(String(decoding: entry.key, as: UTF8.self), entry.logValue(depth: depth)))
        }
        return entries
    }
}
