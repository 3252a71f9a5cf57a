/// Durations for users.
package enum ClockText {
    /// Returns the whole seconds of a duration as hours, minutes and seconds, such as `1:02:03`.
    package static func string(_ duration: Duration) -> String {
        let seconds = Int(max(0, duration.components.seconds))
        var text: [UInt8] = []
        text.append(decimal: seconds / 3_600)
        text.append(":")
        text.append(seconds / 60 % 60, width: 2)
        text.append(":")
        text.append(seconds % 60, width: 2)
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns a duration in words, rounded to minutes, such as `5 min` or `1 h 5 min`.
    package static func minutes(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let minutes = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0)
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
