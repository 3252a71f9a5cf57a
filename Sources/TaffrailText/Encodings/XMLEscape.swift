extension [UInt8] {
    /// Appends a string with XML's special characters escaped; characters not allowed in XML are omitted.
    package mutating func append(xml text: String) {
        let text = text.utf8.contains(0xEF) ? Self.withoutNoncharacters(text) : text
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            case UInt8(ascii: "\""): append("&quot;")
            case 0..<9, 11, 12, 14..<32: break
            default: append(byte)
            }
        }
    }

    /// Appends an element with text, unless it is empty.
    package mutating func append(element tag: StaticString, _ text: String) {
        guard !text.isEmpty else { return }
        append("<")
        append(tag)
        append(">")
        append(xml: text)
        append("</")
        append(tag)
        append(">")
    }

    /// Appends an element with a number.
    package mutating func append(element tag: StaticString, real number: Double) {
        append("<")
        append(tag)
        append(">")
        append(real: number, exponent: false)
        append("</")
        append(tag)
        append(">")
    }

    private static func withoutNoncharacters(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value != 0xFFFE && $0.value != 0xFFFF }))
    }
}
