/// A line of the human-readable state files: the CRC32C of the content, in eight hexadecimal digits, a space, and the
/// content. It is parsed field by field.
struct CheckedLine {
    private static let space = UInt8(ascii: " ")
    private var rest: UnsafeRawBufferPointer
    /// Whether the last field has been read.
    private var isAtEnd = false

    /// Returns the line of a content, with its newline.
    static func text(_ body: String) -> String {
        var body = body
        let sum = body.withUTF8 { Checksum.crc32c(UnsafeRawBufferPointer($0)) }
        return HexText.string(sum, width: 8) + " " + body + "\n"
    }

    /// Returns the contents of a file of such lines.
    static func contents(of file: borrowing FileDescriptor) throws(SystemError) -> [UInt8] {
        let status = try file.status()
        guard status.isRegular else { throw SystemError("\(file.path) is not a regular file", code: Errno.invalid) }
        return try file.read(Int(status.size), at: 0)
    }

    /// Appends lines to a file of some size, on a new line after one that a full disk has torn.
    static func append(_ lines: [String], to file: borrowing FileDescriptor, of size: Int64) throws(SystemError) {
        var isTorn = false
        if size > 0 { isTorn = try file.read(1, at: size - 1) != [UInt8(ascii: "\n")] }
        try file.write(Array(((isTorn ? "\n" : "") + lines.joined()).utf8))
    }

    /// Calls `body` with each line of the contents, without its newline.
    static func forEach(in contents: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        contents.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                let end = ByteSearch.firstIndex(of: 0x0A, in: rest) ?? rest.count
                if end > 0 { body(UnsafeRawBufferPointer(rebasing: rest[..<end])) }
                start += end + 1
            }
        }
    }

    /// Starts after the checksum; `nil` if it does not match.
    init?(_ line: UnsafeRawBufferPointer) {
        guard line.count > 10, line[8] == Self.space,
            let sum = Self.hexadecimal(UnsafeRawBufferPointer(rebasing: line[..<8]))
        else { return nil }
        rest = UnsafeRawBufferPointer(rebasing: line[9...])
        guard UInt64(Checksum.crc32c(rest)) == sum else { return nil }
    }

    /// Reads the bytes up to the next space. The last field ends with the line.
    private mutating func field() -> UnsafeRawBufferPointer {
        guard let start = rest.baseAddress else { return rest }
        let found = ByteSearch.firstIndex(of: Self.space, in: rest)
        let end = found ?? rest.count
        let next = min(end + 1, rest.count)
        isAtEnd = found == nil
        rest = UnsafeRawBufferPointer(start: start + next, count: rest.count - next)
        return UnsafeRawBufferPointer(start: start, count: end)
    }

    mutating func letter() -> UInt8? {
        let field = field()
        return field.count == 1 ? field[0] : nil
    }

    /// Reads a word.
    mutating func word() -> String { String(decoding: field(), as: UTF8.self) }

    /// Reads a decimal number, 0 or more.
    mutating func unsigned() -> UInt64? { Decimal.value(field()) }

    /// Reads a decimal number, possibly negative.
    mutating func signed() -> Int64? {
        let field = field()
        guard field.first == UInt8(ascii: "-") else { return Decimal.value(field).flatMap { Int64(exactly: $0) } }
        let magnitude = Decimal.value(UnsafeRawBufferPointer(rebasing: field.dropFirst()))
        return magnitude.flatMap { $0 <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- $0) : nil }
    }

    /// Reads a run: 16 hexadecimal digits.
    mutating func run() -> RingID? {
        let field = field()
        return field.count == 16 ? Self.hexadecimal(field).map { RingID($0) } : nil
    }

    /// Returns the rest of the line, including spaces; `nil` when it is empty.
    func name() -> String? { rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self) }

    /// Returns the rest of the line, which may be empty; `nil` when there is no such field.
    func lastField() -> String? { isAtEnd ? nil : String(decoding: rest, as: UTF8.self) }

    private static func hexadecimal(_ field: UnsafeRawBufferPointer) -> UInt64? {
        var value: UInt64 = 0
        for byte in field {
            guard let digit = HexText.digit(byte) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        return value
    }
}
