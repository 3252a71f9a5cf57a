package import TaffrailText

extension JSONReader {
    /// Returns the value of a location that has the token's text as its name.
    ///
    /// - Parameter expected: The number of the value with which the search starts; set to that of the next value.
    package func field(expected: inout Int) -> LocationField? {
        guard hasEscapes else {
            return LocationField.find(member: UnsafeRawBufferPointer(textBytes), expected: &expected)
        }
        return Array(text.utf8).withUnsafeBytes { LocationField.find(member: $0, expected: &expected) }
    }
}
