extension Location {
    /// Returns a direction in the range of ``course``: 360 degrees are 0.
    ///
    /// - Returns: `nil` for a number that is not from 0 to 360.
    package static func course(_ degrees: Double) -> Double? {
        guard (0...360).contains(degrees) else { return nil }
        return degrees == 360 ? 0 : degrees
    }
}
