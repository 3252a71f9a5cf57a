extension Location {
    /// Returns a direction as ``course`` has it: 360 degrees are 0.
    ///
    /// - Returns: `nil` for a number that is not from 0 to 360, which no direction is.
    package static func course(_ degrees: Double) -> Double? {
        guard (0...360).contains(degrees) else { return nil }
        return degrees == 360 ? 0 : degrees
    }
}
