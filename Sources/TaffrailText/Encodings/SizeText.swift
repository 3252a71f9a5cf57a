/// Sizes of files for users.
package enum SizeText {
    /// Returns a number of bytes in the largest unit, up to TB, of which it has at least one, such as `21.3 kB`.
    package static func string(_ bytes: Int64) -> String {
        var value = Double(bytes)
        for unit in ["B", "kB", "MB", "GB"] {
            if value < 999.95 {
                return unit == "B" ? "\(bytes) B" : "\(DecimalText.string(value, decimals: 1)) \(unit)"
            }
            value /= 1_000
        }
        return "\(DecimalText.string(value, decimals: 1)) TB"
    }
}
