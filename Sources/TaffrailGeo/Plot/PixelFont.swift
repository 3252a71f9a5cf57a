/// Letters of five by seven dots, for pictures that have no fonts. What is not here is a box.
enum PixelFont {
    static let height = 7
    /// From one letter's left edge to the next one's.
    static let advance = 6

    static func width(_ text: String) -> Int { text.unicodeScalars.count * advance }

    /// The rows of a letter from the top; the left dot is bit 4.
    static func rows(_ scalar: Unicode.Scalar) -> [UInt8] {
        if scalar == " " { return [] }
        guard let index = letters.firstIndex(of: scalar) else { return box }
        return (0..<height).map { UInt8(truncatingIfNeeded: dots[index] >> UInt64(5 * (height - 1 - $0))) & 31 }
    }

    private static let box: [UInt8] = [31, 17, 17, 17, 17, 17, 31]
    private static let letters = Array(
        "()+,-./0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".unicodeScalars)
    /// Seven rows of five bits for each letter, the top row highest.
    private static let dots: [UInt64] = [
        0x88842082, 0x208210888, 0x84F9080, 0x3088, 0xF8000, 0x18C, 0x2222200, 0x3A33AE62E, 0x11842108E, 0x3A211111F,
        0x7C441062E, 0x8CA97C42, 0x7E1E0862E, 0x1910F462E, 0x7C2222108, 0x3A317462E, 0x3A317844C, 0x18C03180,
        0x3A31FC631, 0x7A31F463E, 0x3A308422E, 0x72518C65C, 0x7E10F421F, 0x7E10F4210, 0x3A30BC62F, 0x4631FC631,
        0x38842108E, 0x1C4210A4C, 0x4654C5251, 0x42108421F, 0x4775AC631, 0x4639ACE31, 0x3A318C62E, 0x7A31F4210,
        0x3A318D64D, 0x7A31F5251, 0x3E107043E, 0x7C8421084, 0x46318C62E, 0x46318C544, 0x4631AD6AA, 0x462A22A31,
        0x463151084, 0x7C222221F, 0x1F, 0xE0BE2F, 0x4216CC63E, 0xE8422E, 0x42D9C62F, 0xE8FE0E, 0x1928E2108,
        0x1F18BC2E, 0x4216CC631, 0x100C2108E, 0x80610A4C, 0x4212A6292, 0x30842108E, 0x1AAD631, 0x16CC631, 0xE8C62E,
        0x1E8FA10, 0xD9BC21, 0x16CC210, 0xE8383E, 0x211C42126, 0x118C66D, 0x118C544, 0x118D6AA, 0x1151151, 0x118BC2E,
        0x1F1111F,
    ]
}
