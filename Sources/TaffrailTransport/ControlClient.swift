internal import Glibc
package import Taffrail
internal import TaffrailText

/// Sends commands to a ``ControlServer``. One thread at a time.
package final class ControlClient {
    private let stream: ByteStream
    private let interrupt = Interrupt()
    private var lines = LineSplitter(limit: 1 << 20)

    /// The time limit for an answer.
    package static let patience = Duration.seconds(5)

    /// Connects.
    ///
    /// - Throws: `ECONNREFUSED` and `ENOENT` if no program is listening.
    package init(socket path: String) throws(SystemError) { stream = try LocalSocket.connect(path) }

    /// Sends a command and waits for the answer.
    ///
    /// - Parameter plugin: The addressed plugin instance; `nil`: the program itself.
    /// - Returns: The answer, and its raw line.
    /// - Throws: `ETIMEDOUT` when the program does not answer, `EPIPE` when it ends.
    package func ask(
        _ command: ControlCommand, of plugin: String? = nil, timeout: Duration = patience
    ) throws(SystemError) -> (answer: ControlCommand.Answer, line: String) {
        let line = Self.line(command, plugin)
        let code = line.withUnsafeBytes { stream.write($0, timeout: timeout, interrupt: interrupt) }
        guard code == 0 else { throw SystemError("send a command", code: code) }
        let deadline = SystemClock.monotonicNanoseconds(after: timeout)
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let left = Duration.nanoseconds(deadline - SystemClock.monotonicNanoseconds())
            let outcome = buffer.withUnsafeMutableBytes {
                stream.read(into: $0, timeout: left, interrupt: interrupt)
            }
            switch outcome {
            case .bytes(let count):
                for byte in buffer.prefix(count) {
                    if let line = lines.take(byte) {
                        return (Self.answer(in: line), String(decoding: line, as: UTF8.self))
                    }
                }
            case .end(let code): throw SystemError("receive an answer", code: code == 0 ? EPIPE : code)
            case .timeout, .interrupted: throw SystemError("receive an answer", code: ETIMEDOUT)
            }
        }
    }

    private static func line(_ command: ControlCommand, _ plugin: String?) -> [UInt8] {
        var entries = [LogValueEntry("command", .string(command.name))]
        if let plugin { entries.append(LogValueEntry("plugin", .string(plugin))) }
        return LogValue.map(entries + command.arguments).json + [UInt8(ascii: "\n")]
    }

    private static func answer(in line: [UInt8]) -> ControlCommand.Answer {
        guard let object = LogValue(json: line), let entries = object.entries else {
            return ControlCommand.Answer(problem: "the answer is not a JSON object")
        }
        var answer = ControlCommand.Answer(entries.filter { $0.key != "ok" && $0.key != "error" })
        guard object["ok"] != .bool(true) else { return answer }
        answer.problem = object["error"]?.text ?? "the command failed"
        return answer
    }
}
