internal import CTaffrail

extension Logger {
    /// The shared pipeline's logger of a name, such as `net.http`. Its level is that of the longest configured
    /// prefix. Names are kept for good: use a bounded number, and attributes for what varies.
    public init(_ name: String) { self = Pipeline.shared.logger(name) }

    /// The level from which on records are let through. Setting it sets that of all loggers of the name and of those below it
    /// (``Pipeline/setLevel(_:forLogger:)``); that of a logger without a name, of all that have none of their own.
    public var level: Level {
        get {
            resolved.pointee.pipeline?.prepare()
            return Level(rawValue: taffrail_gate_floor(gate)) ?? .info
        }
        nonmutating set {
            if name.isEmpty { pipeline.level = newValue } else { pipeline.setLevel(newValue, forLogger: name) }
        }
    }

    var pipeline: Pipeline { resolved.pointee.pipeline as? Pipeline ?? .shared }

    // MARK: The log itself

    /// Waits until everything logged so far has been written by all sinks and survives power loss.
    ///
    /// - Parameter timeout: How long to wait at most. Default 30 s.
    /// - Returns: Whether that was so within the time.
    @discardableResult
    public func flush(timeout: Duration = .seconds(30)) -> Bool { pipeline.flush(timeout: timeout) }

    /// The whole of the live log file, as text; bytes that are not UTF-8 are replaced. What was logged before the call
    /// is in it.
    ///
    /// - Returns: `nil` when there is no file sink or its file cannot be read.
    public func getLogContents() -> String? { pipeline.logContents() }

    /// Empties the live log file, after what was logged before the call has been written to it.
    public func clearLog() { pipeline.clearLog() }
}

/// What the first of the sinks that write a log file has written there.
extension Pipeline {
    private var logFile: (any LogFile)? {
        control.lock.withLock { openedSinks().lazy.compactMap { $0.sink as? any LogFile }.first }
    }

    func logContents() -> String? {
        flush()
        return logFile?.contents()
    }

    func clearLog() {
        flush()
        do throws(SinkError) { try logFile?.clear() } catch {
            Diagnostics.report("the log cannot be cleared: \(error.reason)")
        }
    }
}

extension LoggerState {
    /// The source of ``Logger/shared``.
    static var shared: UnsafeMutablePointer<LoggerState> { Pipeline.shared.root }
}
