/// Finds character boundaries in UTF-8.
enum UTF8Text {
    /// Returns the greatest length of at most `limit` bytes that ends at a character boundary.
    static func boundary(in text: UnsafeRawBufferPointer, atMost limit: Int) -> Int {
        guard limit < text.count else { return text.count }
        var end = max(0, limit)
        while end > 0 && text[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
        return end
    }
}
