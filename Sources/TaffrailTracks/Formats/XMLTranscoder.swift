/// Converts bytes of an encoding to UTF-8. Invalid characters become U+FFFD.
struct XMLTranscoder {
    let encoding: XMLEncoding
    /// The first byte of an incomplete pair.
    private var half: UInt8?
    /// The first unit of a surrogate pair.
    private var surrogate: UInt16?

    /// The characters of windows-1252 at 0x80 to 0x9F; 0 if unassigned.
    private static let upperControls: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    init(_ encoding: XMLEncoding) { self.encoding = encoding }

    /// Appends the characters of `bytes`.
    mutating func append(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
        switch encoding {
        case .utf8: text.append(contentsOf: bytes)
        case .latin1, .windows1252: for byte in bytes { append(character(byte), to: &text) }
        case .utf16BigEndian, .utf16LittleEndian:
            for byte in bytes {
                guard let first = half else {
                    half = byte
                    continue
                }
                half = nil
                let (high, low) = encoding == .utf16BigEndian ? (first, byte) : (byte, first)
                append(unit: UInt16(high) << 8 | UInt16(low), to: &text)
            }
        }
    }

    /// Appends the rest at the end of the document.
    mutating func finish(_ text: inout [UInt8]) {
        guard half != nil || surrogate != nil else { return }
        half = nil
        surrogate = nil
        append(nil, to: &text)
    }

    private func character(_ byte: UInt8) -> Unicode.Scalar? {
        guard encoding == .windows1252, (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        let unit = Self.upperControls[Int(byte) - 0x80]
        return unit == 0 ? nil : Unicode.Scalar(unit)
    }

    private mutating func append(unit: UInt16, to text: inout [UInt8]) {
        if let high = surrogate {
            surrogate = nil
            if (0xDC00...0xDFFF).contains(unit) {
                let value = 0x1_0000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
                return append(Unicode.Scalar(value), to: &text)
            }
            append(nil, to: &text)
        }
        if (0xD800...0xDBFF).contains(unit) {
            surrogate = unit
        } else {
            append(Unicode.Scalar(unit), to: &text)
        }
    }

    private func append(_ character: Unicode.Scalar?, to text: inout [UInt8]) {
        text.append(contentsOf: UTF8.encode(character ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
    }
}
