#if Command
internal import ArgumentParser
internal import Glibc
internal import Taffrail

/// Logs each line of the standard input as a record, through a durable queue.
struct StandardInputLogger {
    let level: Level
    let logger: String
    let tee: Bool

    private static let chunk = 64 << 10

    /// Logs everything into a pipeline and ends it.
    ///
    /// - Parameter destination: What the log is called in messages.
    func run(into pipeline: Pipeline, _ destination: String) throws {
        StandardStream.ignoreClosedPipes()
        try read(into: pipeline.logger(logger))
        guard pipeline.shutdown() else {
            StandardStream.complain("not everything could be written to \(destination); it is recovered later")
            throw ExitCode.inputOutput
        }
    }

    private func read(into logger: Logger) throws {
        var pending: [UInt8] = []
        var echoes = tee
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                StandardStream.complain("the input cannot be read: \(String(cString: strerror(errno)))")
                throw ExitCode.inputOutput
            }
            guard count > 0 else { break }
            var start = 0
            while let end = buffer[start..<count].firstIndex(of: UInt8(ascii: "\n")) {
                pending += buffer[start..<end]
                log(pending, to: logger, &echoes)
                pending.removeAll(keepingCapacity: true)
                start = end + 1
            }
            pending += buffer[start..<count]
        }
        if !pending.isEmpty { log(pending, to: logger, &echoes) }
    }

    private func log(_ line: [UInt8], to logger: Logger, _ echoes: inout Bool) {
        logger.log(level: level, String(decoding: line, as: UTF8.self), file: "", function: "", line: 0)
        guard echoes else { return }
        // Who reads the echo may go away; the log goes on.
        echoes = (line + [UInt8(ascii: "\n")]).withUnsafeBytes { StandardStream.write($0, to: 1) }
    }
}
#endif
