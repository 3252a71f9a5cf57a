/// Reads one message of protobuf's wire format, field by field, without copying.
///
/// Valid as long as the bytes are. Groups, which OTLP does not use, are errors.
struct ProtobufReader {
    /// The bytes are not a valid message.
    struct Malformed: Error {
        /// The byte offset of the error in the body.
        let offset: Int
    }

    /// The encoding of a field.
    enum Wire: UInt64 {
        case varint = 0
        case fixed64 = 1
        case bytes = 2
        case fixed32 = 5
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private let end: Int

    /// Reads a whole buffer.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
    }

    private init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Returns the next field's number and encoding; `nil` at the end.
    mutating func next() throws(Malformed) -> (number: UInt64, wire: Wire)? {
        guard offset < end else { return nil }
        let key = try varint()
        guard let wire = Wire(rawValue: key & 7), key >> 3 != 0 else { throw malformed }
        return (key >> 3, wire)
    }

    /// Skips the field's value.
    mutating func skip(_ wire: Wire) throws(Malformed) {
        switch wire {
        case .varint: _ = try varint()
        case .fixed64: _ = try fixed64()
        case .fixed32: _ = try fixed32()
        case .bytes: _ = try range()
        }
    }

    /// Reads a number of variable length.
    mutating func varint() throws(Malformed) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard offset < end else { throw malformed }
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw malformed
    }

    /// Reads eight bytes, little-endian.
    mutating func fixed64() throws(Malformed) -> UInt64 {
        guard end - offset >= 8 else { throw malformed }
        defer { offset += 8 }
        return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Reads four bytes, little-endian.
    mutating func fixed32() throws(Malformed) -> UInt32 {
        guard end - offset >= 4 else { throw malformed }
        defer { offset += 4 }
        return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Returns a reader of a nested message.
    mutating func message() throws(Malformed) -> ProtobufReader { ProtobufReader(bytes, try range()) }

    /// Reads a string; bytes that are not UTF-8 become U+FFFD.
    mutating func text() throws(Malformed) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes[try range()]), as: UTF8.self)
    }

    /// Reads bytes.
    mutating func data() throws(Malformed) -> [UInt8] { Array(bytes[try range()]) }

    private mutating func range() throws(Malformed) -> Range<Int> {
        let length = try varint()
        guard length <= UInt64(end - offset) else { throw malformed }
        defer { offset += Int(length) }
        return offset..<offset + Int(length)
    }

    private var malformed: Malformed { Malformed(offset: offset) }
}
