public import Taffrail

/// The records that code logs with `Logger("x")` and `Logger.shared` while a test runs it; see
/// `withCapturedLog(from:_:)`.
///
/// It may be read from any thread, even while records arrive.
public final class CapturedLog: Sendable {
    fileprivate let capture: RecordCapture

    fileprivate init(from level: Level) { capture = RecordCapture(of: Pipeline.shared, from: level) }

    /// The records so far, numbered from 1 in the order of the calls.
    public var records: [LogRecord] { capture.records }
    /// Their messages.
    public var messages: [String] { records.map(\.message) }

    /// Returns the records so far of a logger and of those below it: `net` and `net.http` for `net`.
    public func records(of logger: String) -> [LogRecord] {
        records.filter { $0.logger == logger || $0.logger.hasPrefix(logger + ".") }
    }

    /// Removes the records so far.
    public func clear() { capture.removeAll() }
}

/// Runs code that logs with `Logger("x")` or `Logger.shared`, and captures its records: nothing is opened, nothing
/// reaches the sinks of the shared pipeline, and records are available as soon as the call has returned.
///
///     await withCapturedLog { log in
///         await harbour.open()
///         #expect(log.messages == ["open"])
///     }
///
/// Capturing is bound to the task: tests that run concurrently do not see each other's records. Child tasks and tasks
/// created by `Task { }` are included; a detached task, a thread or a dispatch queue is not: their records reach the
/// sinks as usual. Loggers of pipelines other than the shared one are not captured. `level` applies to all loggers;
/// attributes of the logger, the task and the shared pipeline's context providers, and its redaction by key are
/// applied.
///
/// - Parameters:
///   - level: The lowest level that is captured. Default `Level.trace`.
///   - body: The code, which is passed the captured log.
public func withCapturedLog<R>(from level: Level = .trace, _ body: (CapturedLog) throws -> R) rethrows -> R {
    let log = CapturedLog(from: level)
    return try Pipeline.shared.capture(into: log.capture) { try body(log) }
}

/// Runs asynchronous code that logs with `Logger("x")` or `Logger.shared`, and captures its records; see the
/// synchronous version.
///
/// - Parameters:
///   - level: The lowest level that is captured. Default `Level.trace`.
///   - body: The code, which is passed the captured log.
public nonisolated(nonsending) func withCapturedLog<R>(
    from level: Level = .trace, _ body: nonisolated(nonsending) (CapturedLog) async throws -> R
) async rethrows -> R {
    let log = CapturedLog(from: level)
    return try await Pipeline.shared.capture(into: log.capture) { try await body(log) }
}
