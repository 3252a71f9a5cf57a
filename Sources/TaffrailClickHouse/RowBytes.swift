#if HTTP
internal import TaffrailQuery

/// Rows in ClickHouse's format `RowBinary`: the values of each row, one after the other.
struct RowBytes {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether there are no more rows.
    var isAtEnd: Bool { index >= bytes.count }
    /// The number of bytes read so far.
    var offset: Int { index }

    private mutating func take(_ count: Int) throws(ClickHouseFailure) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - index else { throw .malformed("ClickHouse's response is truncated") }
        defer { index += count }
        return bytes[index..<index + count]
    }

    mutating func byte() throws(ClickHouseFailure) -> UInt8 {
        let taken = try take(1)
        return taken[taken.startIndex]
    }

    mutating func unsigned() throws(ClickHouseFailure) -> UInt64 {
        try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func signed() throws(ClickHouseFailure) -> Int64 { Int64(bitPattern: try unsigned()) }

    mutating func double() throws(ClickHouseFailure) -> Double { Double(bitPattern: try unsigned()) }

    /// Returns a number that may be `NULL`.
    mutating func optionalDouble() throws(ClickHouseFailure) -> Double? { try byte() == 0 ? try double() : nil }

    /// Returns a length.
    private mutating func length() throws(ClickHouseFailure) -> Int {
        var (value, shift) = (UInt64(0), UInt64(0))
        while true {
            let next = try byte()
            value |= UInt64(next & 127) << shift
            shift += 7
            if next < 128 { return Int(clamping: value) }
            guard shift < 63 else { throw .malformed("ClickHouse's response contains an invalid length") }
        }
    }

    mutating func string() throws(ClickHouseFailure) -> String {
        String(decoding: try take(try length()), as: UTF8.self)
    }

    mutating func map() throws(ClickHouseFailure) -> [(key: String, value: String)] {
        let count = try length()
        var entries: [(key: String, value: String)] = []
        for _ in 0..<count { entries.append((try string(), try string())) }
        return entries
    }
}
#endif
