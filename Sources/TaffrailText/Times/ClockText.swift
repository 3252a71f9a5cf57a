/// Durations as a clock shows them.
package enum ClockText {
    /// Returns whole seconds as hours, minutes and seconds, such as `1:02:03`.
    package static func string(_ seconds: Int) -> String {
        var text: [UInt8] = []
        text.append(decimal: seconds / 3_600)
        text.append(":")
        text.append(seconds / 60 % 60, width: 2)
        text.append(":")
        text.append(seconds % 60, width: 2)
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the whole seconds of a time that is not negative.
    package static func string(truncating seconds: Double) -> String { string(Int(max(0, min(seconds, 1e12)))) }
}
