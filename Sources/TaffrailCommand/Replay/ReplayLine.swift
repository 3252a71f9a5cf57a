#if Command
internal import TaffrailGeo
internal import TaffrailText
internal import TaffrailTracks

/// The state of a replay as a line.
enum ReplayLine {
    /// Returns the line of a state.
    ///
    /// - Parameters:
    ///   - position: The last position, as a string.
    ///   - columns: The width of the terminal; the line is at least one shorter.
    static func text(_ status: ReplayStatus, position: String? = nil, columns: Int) -> String {
        var head = "\(status.state.rawValue) \(ClockText.string(status.time))"
        if let duration = status.duration { head += " / \(ClockText.string(duration))" }
        var tail = " \(number(status.rate))x event \(status.event)"
        if let count = status.eventCount { tail += "/\(count)" }
        if status.loops > 0 { tail += " loop \(status.loops + 1)" }
        if let position { tail += " " + position }
        if let problem = status.problem { tail += " (\(problem))" }
        let space = columns - 1 - head.count - tail.count - 3
        guard let duration = status.length, duration > 0, space >= 5 else {
            return String((head + tail).prefix(max(0, columns - 1)))
        }
        let done = min(space, Int(status.seconds / duration * Double(space)))
        return head + " [" + String(repeating: "#", count: done) + String(repeating: "-", count: space - done) + "]"
            + tail
    }

    /// Returns a line such as `55.67612,12.56834 6.2 kn 93°`.
    static func position(_ location: Location, in units: TrackUnits) -> String {
        var text: [UInt8] = []
        text.append(real: location.coordinate.latitude, decimals: 5)
        text.append(UInt8(ascii: ","))
        text.append(real: location.coordinate.longitude, decimals: 5)
        if let speed = location.speed, speed.isFinite {
            text.append(UInt8(ascii: " "))
            text.append(real: units.speed(speed), decimals: 1)
            text += Array(" \(units.speedName)".utf8)
        }
        if let course = location.course, course.isFinite {
            text.append(UInt8(ascii: " "))
            text.append(real: course, decimals: 0)
            text += Array("°".utf8)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func number(_ rate: Double) -> String { DecimalText.short((rate * 100).rounded() / 100) }
}
#endif
