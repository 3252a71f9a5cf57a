/// A line of the human-readable state files: the CRC32C of the content, in eight hexadecimal digits, a space, and the
/// content.
enum CheckedLine {
    /// Returns the line, with its newline.
    static func text(_ body: String) -> String {
        var body = body
        let sum = body.withUTF8 { Checksum.crc32c(UnsafeRawBufferPointer($0)) }
        return HexText.string(sum, width: 8) + " " + body + "\n"
    }

    /// Returns the content of a line, without its newline; `nil` when the checksum does not match.
    static func body(_ line: some StringProtocol) -> String? {
        guard line.utf8.count > 10, let sum = UInt32(line.prefix(8), radix: 16), line.dropFirst(8).first == " " else {
            return nil
        }
        var body = String(line.dropFirst(9))
        return body.withUTF8 { Checksum.crc32c(UnsafeRawBufferPointer($0)) } == sum ? body : nil
    }
}
