#if HTTP
/// The fields of a message in protobuf's binary format, in order. Groups, which OTLP does not use, are errors.
struct ProtobufFields {
    enum Value {
        case varint(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// Four or eight bytes: skipped, as no message read here has them.
        case fixed
    }

    private(set) var all: [(number: UInt64, value: Value)] = []

    /// Reads a message; returns `nil` if it is malformed.
    init?(_ message: ArraySlice<UInt8>) {
        var rest = message
        while !rest.isEmpty {
            guard let key = Self.varint(&rest), key >> 3 > 0, let value = Self.value(key & 7, &rest) else { return nil }
            all.append((key >> 3, value))
        }
    }

    private static func value(_ wire: UInt64, _ rest: inout ArraySlice<UInt8>) -> Value? {
        switch wire {
        case 0: return varint(&rest).map { .varint($0) }
        case 1: return take(8, &rest).map { _ in .fixed }
        case 2: return varint(&rest).flatMap { take($0, &rest) }.map { .bytes($0) }
        case 5: return take(4, &rest).map { _ in .fixed }
        default: return nil
        }
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }

    private static func take(_ count: UInt64, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}
#endif
