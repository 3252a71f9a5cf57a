internal import Taffrail

/// Steers a replay through a socket in the file system: a JSON object a line in, one a line out.
///
/// `{"command":"play"}`, and likewise `pause`, `status` and `stop`; `{"command":"rate","rate":10}`;
/// `{"command":"seek","to":T}` with seconds or what ``ReplayPoint/init(_:)`` reads; `{"command":"seek","by":SECONDS}`;
/// `{"command":"step","count":N}`. Decision note 0003 says what is answered.
package final class ReplayControl: Sendable {
    private let server: StreamServer

    /// How long an answer waits for its command to take effect, in nanoseconds.
    private static let patience: Int64 = 500_000_000

    /// Listens.
    ///
    /// - Parameter path: The socket, of at most 107 bytes; only the owner may use it.
    package init(_ player: ReplayPlayer, socket path: String) throws(SystemFailure) {
        server = try StreamServer(
            socket: path,
            handlers: StreamServer.Handlers(line: { _, line in
                line.allSatisfy { $0 <= 32 } ? [] : Self.answer(line, player)
            }))
    }

    /// Ends it, and takes the socket away.
    package func close() { server.close() }

    /// Obeys a line, and says what there is to say.
    static func answer(_ line: [UInt8], _ player: ReplayPlayer) -> [UInt8] {
        do {
            try obey(line, player)
        } catch {
            let reason = (error as? OptionError)?.description ?? (error as? ReadError)?.reason ?? "\(error)"
            var bytes = Array("{\"ok\":false,\"error\":".utf8)
            bytes.append(json: reason)
            bytes.append("}\n")
            return bytes
        }
        let deadline = Uptime.now + patience
        let interrupt = Interrupt()
        while !player.isObedient && Uptime.now < deadline { _ = interrupt.wait(nanoseconds: 1_000_000) }
        return statusLine(player.status, isPending: !player.isObedient)
    }

    private struct Request {
        var command: String?
        var rate: Double?
        var to: ReplayPoint?
        var by: Double?
        var count = 1
    }

    private static func obey(_ line: [UInt8], _ player: ReplayPlayer) throws {
        var reader = JSONReader(line)
        guard try reader.next() == .beginObject else { throw reader.error("a command is an object") }
        var request = Request()
        while try reader.nextKey() {
            if reader.isText("command") {
                request.command = try reader.optionalText()
            } else if reader.isText("rate") {
                request.rate = try reader.optionalNumber()
            } else if reader.isText("to") {
                request.to = try point(&reader)
            } else if reader.isText("by") {
                request.by = try reader.optionalNumber()
            } else if reader.isText("count") {
                guard let count = try reader.optionalNumber().flatMap({ Int(exactly: $0) }), count >= 1 else {
                    throw reader.error("count is a whole number from 1")
                }
                request.count = count
            } else {
                throw reader.error("\"\(reader.text)\" is not known")
            }
        }
        guard try reader.next() == .end else { throw reader.error("one object a line is expected") }
        try obey(request, player)
    }

    private static func point(_ reader: inout JSONReader) throws -> ReplayPoint {
        switch try reader.next() {
        case .number where reader.number >= 0: return .seconds(reader.number)
        case .string:
            guard let point = ReplayPoint(reader.text) else { throw reader.error("\"\(reader.text)\" is no place") }
            return point
        default: throw reader.error("to is a number of seconds from 0, or a text")
        }
    }

    private static func obey(_ request: Request, _ player: ReplayPlayer) throws {
        switch request.command {
        case "play": player.play()
        case "pause": player.pause()
        case "stop": player.stop()
        case "status": break
        case "step": player.step(request.count)
        case "rate":
            guard let rate = request.rate else { throw OptionError("rate", "is missing") }
            try player.setRate(rate)
        case "seek":
            if let point = request.to {
                player.seek(to: point)
            } else if let seconds = request.by {
                player.skip(seconds: seconds)
            } else {
                throw OptionError("seek", "needs to or by")
            }
        case let name?:
            throw OptionError("command", "is play, pause, rate, seek, step, status or stop, not \"\(name)\"")
        case nil: throw OptionError("command", "is missing")
        }
    }

    private static func statusLine(_ status: ReplayStatus, isPending: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(status.problem == nil ? "{\"ok\":true" : "{\"ok\":false,\"error\":")
        if let problem = status.problem { bytes.append(json: problem) }
        bytes.append(",\"state\":")
        bytes.append(json: status.state.rawValue)
        bytes.append(",\"time\":")
        bytes.append(real: RecordingEncoder.microseconds(status.time))
        if let duration = status.duration {
            bytes.append(",\"duration\":")
            bytes.append(real: duration)
        }
        for (key, value) in [
            ("event", status.event), ("events", status.eventCount), ("replayed", status.replayed),
            ("loops", status.loops),
        ] {
            guard let value else { continue }
            bytes.append(contentsOf: ",\"\(key)\":\(value)".utf8)
        }
        bytes.append(",\"rate\":")
        bytes.append(real: status.rate)
        if isPending { bytes.append(",\"pending\":true") }
        bytes.append("}\n")
        return bytes
    }
}
