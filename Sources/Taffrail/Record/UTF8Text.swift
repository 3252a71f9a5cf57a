/// Finding character boundaries in UTF-8 bytes.
enum UTF8Text {
    /// The longest length of at most `limit` bytes that ends between two characters.
    static func boundary(in text: UnsafeRawBufferPointer, atMost limit: Int) -> Int {
        guard limit < text.count else { return text.count }
        var end = max(0, limit)
        while end > 0 && text[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
        return end
    }
}
