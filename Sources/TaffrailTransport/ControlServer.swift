package import Taffrail
internal import TaffrailText

/// Accepts commands through a socket in the file system: a JSON object per line in each direction.
///
/// `{"command":"pause","plugin":"geo-replay"}` with further arguments is answered by `{"ok":true,…}` or
/// `{"ok":false,"error":"…"}`. The core's decision note 0011 lists the commands. A client that does not read its
/// answers is disconnected after a limit; it never blocks the server.
package final class ControlServer: Sendable {
    /// Runs a command. The first argument is the addressed plugin instance; `nil`: the program itself.
    package typealias Handler = @Sendable (String?, ControlCommand) throws -> ControlCommand.Answer

    private let server: StreamServer

    /// The maximum length of the path of a socket in the file system, in bytes.
    package static let longestPath = 107

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - path: The socket, of at most ``longestPath`` bytes, for its owner only.
    ///   - handler: Called on the server's thread, one command at a time.
    package init(socket path: String, handler: @escaping Handler) throws(SystemError) {
        let limit = ControlCommand.Answer(problem: "a command is limited to \(StreamServer.longestLine) bytes")
        server = try StreamServer(
            socket: path,
            handlers: StreamServer.Handlers(
                line: { _, line in line.allSatisfy { $0 <= 32 } ? [] : Self.answer(line, handler) },
                overlong: { _ in Self.line(limit) }, splitsAtSemicolons: false))
    }

    /// Closes the server and removes the socket.
    package func close() { server.close() }

    /// Runs the command in a line, and returns the answer as a line.
    static func answer(_ line: [UInt8], _ handler: Handler) -> [UInt8] {
        let answer: ControlCommand.Answer
        do {
            let (plugin, command) = try command(in: line)
            answer = try handler(plugin, command)
        } catch {
            let reason = (error as? OptionError)?.description ?? (error as? ReadError)?.reason ?? "\(error)"
            answer = ControlCommand.Answer(problem: reason)
        }
        return Self.line(answer)
    }

    private static func line(_ answer: ControlCommand.Answer) -> [UInt8] {
        var object = JSONObject()
        object.add("ok", answer.problem == nil)
        object.add("error", known: answer.problem)
        for field in answer.fields { object.add(field.key, value: field.value) }
        return object.closed + [UInt8(ascii: "\n")]
    }

    private static func command(in line: [UInt8]) throws -> (plugin: String?, ControlCommand) {
        var reader = JSONReader(line)
        guard try reader.next() == .beginObject else { throw reader.error("expected a command as an object") }
        var command = ControlCommand("")
        var plugin: String?
        while try reader.nextKey() {
            if reader.isText("command") {
                command.name = try reader.optionalText() ?? ""
            } else if reader.isText("plugin") {
                plugin = try reader.optionalText()
            } else {
                let key = reader.text
                command.arguments.append(LogValueEntry(key, try reader.value()))
            }
        }
        guard try reader.next() == .end else { throw reader.error("expected one object per line") }
        return (plugin, command)
    }
}
