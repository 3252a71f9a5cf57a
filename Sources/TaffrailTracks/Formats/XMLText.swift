/// The syntax of XML's names, texts and tags.
enum XMLText {
    /// Returns the part after the last colon.
    static func localName(_ name: some BidirectionalCollection<UInt8>) -> [UInt8] {
        guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return Array(name) }
        return Array(name[name.index(after: colon)...])
    }

    /// Returns characters with their entities resolved; `nil` for entities that XML does not predefine.
    static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "&")) else { return Array(bytes) }
        var result: [UInt8] = []
        var rest = bytes[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<mark]
            guard let end = rest[mark...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let character = entity(rest[mark + 1..<end])
            else { return nil }
            result += character
            rest = rest[(end + 1)...]
        }
        return result + rest
    }

    private static func entity(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
        switch String(decoding: name, as: UTF8.self) {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        case let text where text.hasPrefix("#x"): return character(UInt32(text.dropFirst(2), radix: 16))
        case let text where text.hasPrefix("#"): return character(UInt32(text.dropFirst()))
        default: return nil
        }
    }

    private static func character(_ number: UInt32?) -> [UInt8]? {
        guard let number, number >= 32 || [9, 10, 13].contains(number), let scalar = Unicode.Scalar(number) else {
            return nil
        }
        return Array(String(Character(scalar)).utf8)
    }
}
