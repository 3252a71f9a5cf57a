internal import CTaffrail

extension Logger {
    /// The shared pipeline's logger with a name, such as `net.http`. Its level is that of the longest configured
    /// prefix. Names are never freed: use a bounded number of names, and attributes for variable data.
    public init(_ name: String) { self = Pipeline.shared.logger(name) }

    /// The minimum level. Setting it applies to all loggers with this name and those below it
    /// (``Pipeline/setLevel(_:forLogger:)``); for a logger without a name, to all loggers without their own level.
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

    /// Waits until all sinks have written everything logged so far, and it survives power loss.
    ///
    /// - Parameter timeout: The time limit. Default 30 s.
    /// - Returns: Whether this was achieved in time.
    @discardableResult
    public func flush(timeout: Duration = .seconds(30)) -> Bool { pipeline.flush(timeout: timeout) }

    /// Returns the whole live log file as a string, including everything logged before the call. Bytes that are not
    /// UTF-8 are replaced.
    ///
    /// - Returns: `nil` when there is no file sink or its file cannot be read.
    public func getLogContents() -> String? {
        flush()
        return pipeline.logFile?.contents()
    }

    /// Truncates the live log file, after everything logged before the call has been written to it.
    public func clearLog() {
        flush()
        do throws(SinkError) { try pipeline.logFile?.clear() } catch {
            Diagnostics.report("the log cannot be cleared: \(error.reason)")
        }
    }
}

extension Pipeline {
    /// The first log file among the sinks.
    fileprivate var logFile: LogFile? {
        control.lock.withLock { openedSinks().lazy.compactMap(\.sink.logFile).first }
    }
}

extension LoggerState {
    /// The state of ``Logger/shared``.
    static var shared: UnsafeMutablePointer<LoggerState> { Pipeline.shared.root }
}
