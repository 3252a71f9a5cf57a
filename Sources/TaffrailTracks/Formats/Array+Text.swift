extension [UInt8] {
    /// Returns whether the bytes are `text`.
    @inline(__always)
    func `is`(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in indices where self[index] != text.utf8Start[index] { return false }
        return true
    }

    /// The text without surrounding spaces.
    var trimmed: ArraySlice<UInt8> {
        let start = firstIndex { $0 > 32 } ?? endIndex
        guard let end = lastIndex(where: { $0 > 32 }) else { return [] }
        return self[start...end]
    }
}
