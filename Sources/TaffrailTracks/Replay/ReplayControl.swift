package import Taffrail
internal import TaffrailGeo
internal import TaffrailText
internal import TaffrailTransport

/// Runs the commands of a replay, received through its own socket or the program's.
///
/// `play`, `pause`, `status` and `stop`; `rate` with `rate`; `seek` with `to`, seconds or a string for
/// ``ReplayPoint/init(_:)``, or with `by`, seconds; `step` with `count`. TaffrailGeo's decision note 0003 describes the
/// answers.
package final class ReplayControl: Sendable {
    private let server: ControlServer

    /// How long an answer waits for its command to take effect.
    private static let patience = Duration.milliseconds(500)

    /// Starts listening.
    ///
    /// - Parameter path: The socket, of at most 107 bytes, for its owner only.
    package init(_ player: ReplayPlayer, socket path: String) throws(SystemError) {
        server = try ControlServer(socket: path) { plugin, command in
            if plugin != nil { throw OptionError("plugin", "a replay has no plugins") }
            return try Self.execute(command, player)
        }
    }

    /// Closes and removes the socket.
    package func close() { server.close() }

    /// Runs a command, and returns the resulting status.
    package static func execute(_ command: ControlCommand, _ player: ReplayPlayer) throws -> ControlCommand.Answer {
        try apply(command, player)
        let deadline = SystemClock.monotonicNanoseconds(after: patience)
        let interrupt = Interrupt()
        while !player.hasAppliedCommands && SystemClock.monotonicNanoseconds() < deadline {
            _ = interrupt.wait(timeout: .milliseconds(1))
        }
        return answer(player.status, isPending: !player.hasAppliedCommands)
    }

    private static func apply(_ command: ControlCommand, _ player: ReplayPlayer) throws {
        try command.expect("rate", "to", "by", "count")
        let rate = try command.number("rate")
        let by = try command.number("by")
        let point = try point(command["to"])
        let count = try count(command.number("count"))
        switch command.name {
        case "play": player.play()
        case "pause": player.pause()
        case "stop": player.stop()
        case "status": break
        case "step": player.step(count)
        case "rate":
            guard let rate else { throw OptionError("rate", "is missing") }
            try player.setRate(rate)
        case "seek":
            if let point {
                player.seek(to: point)
            } else if let by {
                player.skip(bySeconds: by)
            } else {
                throw OptionError("seek", "requires \"to\" or \"by\"")
            }
        default: throw command.unknown(among: "play", "pause", "rate", "seek", "step", "status", "stop")
        }
    }

    private static func count(_ number: Double?) throws(OptionError) -> Int {
        guard let number else { return 1 }
        guard let count = Int(exactly: number), count >= 1 else {
            throw OptionError("count", "must be an integer from 1")
        }
        return count
    }

    private static func point(_ value: LogValue?) throws(OptionError) -> ReplayPoint? {
        switch value {
        case nil: return nil
        case .int(let seconds)? where seconds >= 0: return .elapsed(.seconds(seconds))
        case .double(let seconds)? where seconds >= 0: return .elapsed(Duration(clampingSeconds: seconds))
        case .string(let text)?:
            guard let point = ReplayPoint(text) else {
                throw OptionError("to", "\"\(text)\" is not a position in the track")
            }
            return point
        default: throw OptionError("to", "must be a number of seconds from 0, or a string")
        }
    }

    private static func answer(_ status: ReplayStatus, isPending: Bool) -> ControlCommand.Answer {
        var fields = [
            LogValueEntry("state", .string(status.state.rawValue)),
            LogValueEntry("time", .double(status.seconds.roundedToMillionths)),
        ]
        if let duration = status.length { fields.append(LogValueEntry("duration", .double(duration))) }
        for (key, value) in [
            ("event", status.event), ("events", status.eventCount), ("replayed", status.replayed),
            ("loops", status.loops),
        ] {
            if let value { fields.append(LogValueEntry(key, .int(Int64(value)))) }
        }
        fields.append(LogValueEntry("rate", .double(status.rate)))
        if isPending { fields.append(LogValueEntry("pending", true)) }
        return ControlCommand.Answer(fields, problem: status.problem)
    }
}
