package import Taffrail
internal import TaffrailText

/// Takes commands through a socket in the file system: a JSON object a line in, one a line out.
///
/// `{"command":"pause","plugin":"geo-replay"}` with further arguments is answered by `{"ok":true,…}` or
/// `{"ok":false,"error":"…"}`. The core's decision note 0011 lists the commands. A client that does not read its answers is let go
/// once they have become many; it holds up nothing.
package final class ControlServer: Sendable {
    /// Carries a command out. The first is the plugin instance that it is for; `nil`: the program itself.
    package typealias Handler = @Sendable (String?, ControlCommand) throws -> ControlAnswer

    private let server: StreamServer

    /// The longest path of a socket in the file system, in bytes.
    package static let longestPath = 107

    /// Listens.
    ///
    /// - Parameters:
    ///   - path: The socket, of at most ``longestPath`` bytes; only the owner may use it.
    ///   - handler: Called on the server's thread, one command at a time.
    package init(socket path: String, handler: @escaping Handler) throws(SystemError) {
        var handlers = StreamServer.Handlers(line: { _, line in
            line.allSatisfy { $0 <= 32 } ? [] : Self.answer(line, handler)
        })
        handlers.splitsAtSemicolons = false
        handlers.overlong = { _ in
            Self.line(ControlAnswer(problem: "a command has at most \(StreamServer.longestLine) bytes"))
        }
        server = try StreamServer(socket: path, handlers: handlers)
    }

    /// Ends it, and takes the socket away.
    package func close() { server.close() }

    /// Carries out the command in a line, and returns the line to answer with.
    static func answer(_ line: [UInt8], _ handler: Handler) -> [UInt8] {
        let answer: ControlAnswer
        do {
            let (plugin, command) = try command(in: line)
            answer = try handler(plugin, command)
        } catch {
            let reason = (error as? OptionError)?.description ?? (error as? ReadError)?.reason ?? "\(error)"
            answer = ControlAnswer(problem: reason)
        }
        return Self.line(answer)
    }

    private static func line(_ answer: ControlAnswer) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(answer.problem == nil ? "{\"ok\":true" : "{\"ok\":false,\"error\":")
        if let problem = answer.problem { bytes.append(json: problem) }
        for field in answer.fields {
            bytes.append(",")
            bytes.append(json: field.key)
            bytes.append(":")
            bytes.append(json: field.value)
        }
        bytes.append("}\n")
        return bytes
    }

    private static func command(in line: [UInt8]) throws -> (plugin: String?, ControlCommand) {
        var reader = JSONReader(line)
        guard try reader.next() == .beginObject else { throw reader.error("a command is an object") }
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
        guard try reader.next() == .end else { throw reader.error("one object a line is expected") }
        return (plugin, command)
    }
}
