/// Parses the text between `<` and `>`.
struct XMLTagScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func skipSpace() { while index < bytes.count && bytes[index] <= 32 { index += 1 } }

    /// Returns a name with its prefix.
    mutating func name() -> [UInt8]? {
        let start = index
        while index < bytes.count, bytes[index] > 32, !"=/\"'<>&".utf8.contains(bytes[index]) { index += 1 }
        return index > start ? Array(bytes[start..<index]) : nil
    }

    /// Returns the next attribute, with its local name; `nil` when there is none, or it is malformed.
    mutating func attribute() -> (name: [UInt8], value: [UInt8])? {
        let start = index
        skipSpace()
        guard index > start, let full = name() else { return nil }
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return malformed() }
        index += 1
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'"),
            let end = bytes[(index + 1)...].firstIndex(of: bytes[index]),
            let value = XMLText.decoded(UnsafeBufferPointer(rebasing: bytes[index + 1..<end]))
        else { return malformed() }
        index = end + 1
        return (XMLText.localName(full), value)
    }

    private mutating func malformed() -> (name: [UInt8], value: [UInt8])? {
        index = -1
        return nil
    }

    /// Returns whether the element is empty (`/>`); `nil` when other text is left over.
    mutating func finish() -> Bool? {
        guard index >= 0 else { return nil }
        skipSpace()
        if index == bytes.count { return false }
        return index + 1 == bytes.count && bytes[index] == UInt8(ascii: "/") ? true : nil
    }
}
