/// The syntax of comma-separated values (RFC 4180).
package enum CSVText {
    /// Appends a field, quoted if necessary.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        guard text.utf8.contains(where: { ",\"\r\n;".utf8.contains($0) }) else {
            return bytes.append(contentsOf: text.utf8)
        }
        bytes.append("\"")
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append("\"")
    }
}
