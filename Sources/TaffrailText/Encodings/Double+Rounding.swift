extension Double {
    /// The number with at most six decimals, without the artifacts of binary fractions: 29.9 and not 29.900000000000002.
    /// A number of a billion or more is unchanged: its last decimals are not exact.
    package var roundedToMillionths: Double { abs(self) < 1e9 ? (self * 1e6).rounded() / 1e6 : self }
}
