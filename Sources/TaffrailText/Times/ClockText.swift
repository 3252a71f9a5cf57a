/// Durations for users.
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

    /// Returns a duration in words, rounded to minutes, such as `5 min` or `1 h 5 min`.
    package static func minutes(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let minutes = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0)
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
