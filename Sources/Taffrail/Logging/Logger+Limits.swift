/// Limits by call site: `logger.once()?.info("…")`, `logger.every(100)?.debug("…")`.
///
/// A limit returns the logger when this call may log and `nil` otherwise; then no argument of the call is evaluated.
/// The next record that is logged has the number of skipped calls in the attribute `taffrail.suppressed`. A call site
/// is a line of a source file; two limits on one line share their count.
extension Logger {
    /// Returns the logger for the first call of this site only.
    public func once(file: StaticString = #fileID, line: UInt = #line) -> Logger? {
        limited(file, line) { $0.calls == 1 }
    }

    /// Returns the logger for the first call of this site, and then for every `count`-th.
    ///
    /// - Parameters:
    ///   - count: At least 1; smaller values count as 1.
    ///   - file: The source file; omitted by callers.
    ///   - line: The line; omitted by callers.
    public func every(_ count: Int, file: StaticString = #fileID, line: UInt = #line) -> Logger? {
        limited(file, line) { ($0.calls - 1) % UInt64(max(1, count)) == 0 }
    }

    /// Returns the logger if at least this much time has passed since the last call of this site that logged.
    public func every(_ span: Duration, file: StaticString = #fileID, line: UInt = #line) -> Logger? {
        atMost(1, per: span, file: file, line: line)
    }

    /// Returns the logger for at most `count` calls of this site within each span; a span begins with its first call.
    ///
    /// - Parameters:
    ///   - count: At least 1; smaller values count as 1.
    ///   - span: Measured on the monotonic clock.
    ///   - file: The source file; omitted by callers.
    ///   - line: The line; omitted by callers.
    public func atMost(
        _ count: Int, per span: Duration, file: StaticString = #fileID, line: UInt = #line
    ) -> Logger? {
        limited(file, line) {
            $0.takesPart(atMost: count, per: span, now: SystemClock.monotonicNanoseconds())
        }
    }

    private func limited(_ file: StaticString, _ line: UInt, by rule: (inout CallSiteLimit.State) -> Bool) -> Logger? {
        guard let suppressed = CallSiteLimit.of(file, line).count(by: rule) else { return nil }
        return suppressed == 0 ? self : with(["taffrail.suppressed": LogValue(suppressed)])
    }
}
