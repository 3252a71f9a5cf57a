/// Parses a line of the state files that starts with a checksum, field by field, without allocating strings.
struct CheckedFields {
    private static let space = UInt8(ascii: " ")
    private var rest: UnsafeRawBufferPointer

    /// Starts after the checksum; `nil` if it does not match.
    init?(_ line: UnsafeRawBufferPointer) {
        guard line.count > 10, line[8] == Self.space else { return nil }
        var sum: UInt32 = 0
        for byte in UnsafeRawBufferPointer(rebasing: line[..<8]) {
            guard let digit = Self.digit(byte) else { return nil }
            sum = sum << 4 | UInt32(digit)
        }
        rest = UnsafeRawBufferPointer(rebasing: line[9...])
        guard Checksum.crc32c(rest) == sum else { return nil }
    }

    /// Reads the bytes up to the next space. The last field ends with the line.
    private mutating func field() -> UnsafeRawBufferPointer {
        guard let start = rest.baseAddress else { return rest }
        let end = ByteSearch.firstIndex(of: Self.space, in: rest) ?? rest.count
        let next = min(end + 1, rest.count)
        rest = UnsafeRawBufferPointer(start: start + next, count: rest.count - next)
        return UnsafeRawBufferPointer(start: start, count: end)
    }

    /// Reads a single character.
    mutating func letter() -> UInt8? {
        let field = field()
        return field.count == 1 ? field[0] : nil
    }

    /// Reads a decimal number, 0 or more.
    mutating func unsigned() -> UInt64? { Self.number(field()) }

    /// Reads a decimal number, possibly negative.
    mutating func signed() -> Int64? {
        let field = field()
        guard field.first == UInt8(ascii: "-") else { return Self.number(field).flatMap { Int64(exactly: $0) } }
        return Self.number(UnsafeRawBufferPointer(rebasing: field.dropFirst())).flatMap {
            Int64(exactly: $0).map { -$0 }
        }
    }

    /// Reads a run: 16 hexadecimal digits.
    mutating func run() -> RingID? {
        let field = field()
        guard field.count == 16 else { return nil }
        var value: UInt64 = 0
        for byte in field {
            guard let digit = Self.digit(byte) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        return RingID(value)
    }

    /// Returns the rest of the line, including spaces; `nil` when it is empty.
    mutating func name() -> String? { rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self) }

    private static func number(_ field: UnsafeRawBufferPointer) -> UInt64? {
        guard !field.isEmpty else { return nil }
        var value: UInt64 = 0
        for byte in field {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (product, isTooMuch) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(UInt64(digit))
            guard !isTooMuch, !overflows else { return nil }
            value = sum
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        if digit < 10 { return digit }
        // In lower case.
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
