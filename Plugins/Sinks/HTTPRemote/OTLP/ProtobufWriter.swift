#if HTTP
/// Writes protobuf's binary format: the fields of messages, in the order of the calls.
///
/// The output is the shortest form, like that of swift-protobuf, if the caller omits values that are not set or are
/// zero.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    private enum Wire: UInt8 {
        case varint = 0
        case fixed64, bytes
        case fixed32 = 5
    }

    /// A field's number and type; numbers from 1 to 15.
    @inline(__always)
    private mutating func tag(_ field: UInt8, _ wire: Wire) { bytes.append(field << 3 | wire.rawValue) }

    @inline(__always)
    private mutating func varint(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    @inline(__always)
    mutating func add(_ field: UInt8, varint number: UInt64) {
        tag(field, .varint)
        varint(number)
    }

    @inline(__always)
    mutating func add(_ field: UInt8, fixed64 number: UInt64) {
        tag(field, .fixed64)
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    @inline(__always)
    mutating func add(_ field: UInt8, fixed32 number: UInt32) {
        tag(field, .fixed32)
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    @inline(__always)
    mutating func add(_ field: UInt8, bytes content: UnsafeRawBufferPointer) {
        tag(field, .bytes)
        varint(UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    /// Adds a string. Invalid UTF-8 is repaired, because receivers refuse it.
    @inline(__always)
    mutating func add(_ field: UInt8, utf8 content: UnsafeRawBufferPointer) {
        if Self.isASCII(content) {
            add(field, bytes: content)
        } else {
            add(field, string: String(decoding: content, as: UTF8.self))
        }
    }

    mutating func add(_ field: UInt8, string: String) {
        var string = string
        string.withUTF8 { add(field, bytes: UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    mutating func add(_ field: UInt8, literal: StaticString) {
        add(field, bytes: UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    @inline(__always)
    private static func isASCII(_ content: UnsafeRawBufferPointer) -> Bool {
        var (index, seen) = (0, UInt64(0))
        while index + 8 <= content.count {
            seen |= content.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < content.count {
            seen |= UInt64(content[index])
            index += 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// Appends fields that are already encoded.
    mutating func append(_ fields: [UInt8]) { bytes.append(contentsOf: fields) }

    /// Adds a message with the fields that `body` adds.
    ///
    /// - Parameter lengthSize: The expected size of its length field, 1 for less than 128 bytes; if it differs, the
    ///   message is moved.
    @inline(__always)
    mutating func add(_ field: UInt8, lengthSize: Int = 1, _ body: (inout ProtobufWriter) -> Void) {
        let start = begin(field, lengthSize: lengthSize)
        body(&self)
        end(start, lengthSize: lengthSize)
    }

    /// Begins a message, and returns its offset for ``end(_:lengthSize:)``.
    @inline(__always)
    mutating func begin(_ field: UInt8, lengthSize: Int) -> Int {
        tag(field, .bytes)
        for _ in 0..<lengthSize { bytes.append(0) }
        return bytes.count
    }

    /// Ends a message that starts at an offset.
    @inline(__always)
    mutating func end(_ start: Int, lengthSize: Int) {
        var rest = UInt64(bytes.count - start)
        let needed = rest == 0 ? 1 : (70 - rest.leadingZeroBitCount) / 7
        if needed > lengthSize {
            bytes.insert(contentsOf: repeatElement(0, count: needed - lengthSize), at: start)
        } else if needed < lengthSize {
            bytes.removeSubrange(start - (lengthSize - needed)..<start)
        }
        var index = start - lengthSize
        while rest > 0x7F {
            bytes[index] = UInt8(truncatingIfNeeded: rest) | 0x80
            rest >>= 7
            index += 1
        }
        bytes[index] = UInt8(truncatingIfNeeded: rest)
    }
}
#endif
