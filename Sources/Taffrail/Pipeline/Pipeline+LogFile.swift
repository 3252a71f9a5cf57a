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
