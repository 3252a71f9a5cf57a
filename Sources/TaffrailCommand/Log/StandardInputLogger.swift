#if Command
internal import ArgumentParser
internal import Glibc
internal import Taffrail
internal import TaffrailReading

/// Logs each line of stdin as a record. While the queue is full it stops reading, so that the pipe fills up.
struct StandardInputLogger: Equatable {
    let level: Level
    let logger: String
    let tee: Bool
    /// Whether to drop lines while the queue is full, as its options specify, instead of waiting.
    var drops = false
    /// Whether lines contain their own level and more, see `InputLine`.
    var parses = false

    /// The result of logging.
    private struct Outcome {
        var lost: UInt64 = 0
        var truncated: UInt64 = 0
        /// Errors of reading the input and of writing the echo.
        var failures: [String] = []
    }

    private static let chunk = 64 << 10
    /// The time limit for the sinks at the end.
    private static let patience = Duration.seconds(30)
    /// Larger than the largest record: longer lines are truncated anyway.
    private static let longestLine = 1 << 28

    /// Logs everything into a pipeline, and shuts the pipeline down.
    ///
    /// - Parameter destination: The name of the log in messages; `nil` if there may be several.
    func run(into pipeline: Pipeline, _ destination: String?) throws {
        StandardStream.ignoreClosedPipes()
        var outcome = read(into: pipeline)
        let unwritten = UnwrittenRecords(of: pipeline)
        let start = SystemClock.monotonicNanoseconds()
        pipeline.drain(timeout: .seconds(2))
        if SystemClock.monotonicNanoseconds() - start >= 2_000_000_000 {
            StandardStream.report("the log is not accepting records; giving up in 30 seconds")
        }
        let isWritten = pipeline.shutdown(timeout: Self.patience)
        outcome.lost += pipeline.lostBySinks
        for failure in outcome.failures { StandardStream.report(failure) }
        if !isWritten { unwritten.report(destination) }
        if outcome.truncated > 0 {
            StandardStream.report("\(Self.lines(outcome.truncated)) truncated to the maximum length of a record")
        }
        if outcome.lost > 0 { StandardStream.report("\(Self.lines(outcome.lost)) lost") }
        guard isWritten, outcome.lost == 0, outcome.failures.isEmpty else { throw ExitCode.inputOutput }
        if outcome.truncated > 0 { throw ExitCode.dataError }
    }

    private static func lines(_ count: UInt64) -> String { CountText.text(count, "line was", "lines were") }

    private func read(into pipeline: Pipeline) -> Outcome {
        let logger = pipeline.logger(logger)
        var outcome = Outcome()
        var isEchoing = tee
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                StandardStream.wait(for: POLLIN, of: 0)
                continue
            }
            if count < 0 { outcome.failures.append("cannot read the input: \(Errno.text(errno))") }
            var echo: [UInt8] = []
            var rest = buffer.prefix(max(0, count))
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                pending += rest[..<end]
                rest = rest[(end + 1)...]
                log(&pending, to: logger, &outcome, &echo)
            }
            if pending.count < Self.longestLine { pending += rest }
            if count <= 0 && !pending.isEmpty { log(&pending, to: logger, &outcome, &echo) }
            // A queue in memory does not acknowledge; the sinks do.
            if isEchoing && !echo.isEmpty && pipeline.awaitAcknowledgement() { isEchoing = write(echo, &outcome) }
            if count <= 0 { return outcome }
        }
    }

    /// Logs a line, and adds it to the echo if the complete line is in the queue.
    private func log(_ line: inout [UInt8], to logger: Logger, _ outcome: inout Outcome, _ echo: inout [UInt8]) {
        let record =
            parses
            ? line.withUnsafeBytes { InputLine().record($0, level: level) }
            : LogRecord(level: level, message: String(decoding: line, as: UTF8.self))
        // Lines with their own level are subject to the levels of the configuration.
        guard !parses || logger.isEnabled(record.level) else { return line.removeAll(keepingCapacity: true) }
        switch logger.logAnyLevel(record, waits: !drops) {
        case .queued: if tee { echo += line + [UInt8(ascii: "\n")] }
        case .truncated: outcome.truncated += 1
        case .dropped: outcome.lost += 1
        case .withheld: break
        }
        line.removeAll(keepingCapacity: true)
    }

    /// Writes the echo. Returns `false` when that fails; logging continues without it.
    private func write(_ echo: [UInt8], _ outcome: inout Outcome) -> Bool {
        let failure = echo.withUnsafeBytes { StandardStream.write($0, to: 1) }
        // A closed pipe is not an error, as with `tee -p`: its reader has stopped, and the log has all lines.
        if failure != 0 && failure != StandardStream.closedPipe {
            outcome.failures.append("cannot echo: \(Errno.text(failure))")
        }
        return failure == 0
    }
}
#endif
