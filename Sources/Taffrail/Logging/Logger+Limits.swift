/// Limits by call site: `logger.once()?.info("…")`, `logger.every(100)?.debug("…")`.
///
/// A limit gives the logger when this call may log, and `nil` when not; then nothing of the call is evaluated. The record
/// that gets through says how many did not since the last one, in the attribute `taffrail.suppressed`. A call site is a
/// line of a source file; two limits on one line share their count.
extension Logger {
    /// The first call of this site logs, no other ever.
    public func once(file: StaticString = #fileID, line: UInt = #line) -> Logger? {
        CallSiteLimit.of(file, line).passes { $0.calls == 1 } ? self : nil
    }

    /// The first call of this site logs, and then every `count`-th.
    ///
    /// - Parameter count: From 1; less counts as 1.
    public func every(_ count: Int, file: StaticString = #fileID, line: UInt = #line) -> Logger? {
        limited(CallSiteLimit.of(file, line)) { ($0.calls - 1) % UInt64(max(1, count)) == 0 }
    }

    /// A call of this site logs when the last one that did is as long ago as that.
    public func every(_ span: Duration, file: StaticString = #fileID, line: UInt = #line) -> Logger? {
        atMost(1, per: span, file: file, line: line)
    }

    /// At most `count` calls of this site log within a span, which begins with the first of them.
    ///
    /// - Parameters:
    ///   - count: From 1; less counts as 1.
    ///   - span: Measured on a clock that nobody sets.
    public func atMost(
        _ count: Int, per span: Duration, file: StaticString = #fileID, line: UInt = #line
    ) -> Logger? {
        limited(CallSiteLimit.of(file, line)) {
            $0.takesPart(atMost: count, per: span, now: SystemClock.monotonicNanoseconds())
        }
    }

    private func limited(_ limit: CallSiteLimit, by rule: (inout CallSiteLimit.State) -> Bool) -> Logger? {
        var suppressed: UInt64 = 0
        guard limit.passes(rule, suppressed: &suppressed) else { return nil }
        return suppressed == 0 ? self : with(["taffrail.suppressed": LogValue(suppressed)])
    }
}

/// What is counted for one call site. It lives as long as the process.
final class CallSiteLimit: Sendable {
    struct State {
        /// Calls so far, this one included.
        var calls: UInt64 = 0
        /// Calls that did not log since the last one that did.
        var suppressed: UInt64 = 0
        /// The span under way: its start on the monotonic clock, and how many logged in it.
        var start: Int64?
        var logged = 0

        mutating func takesPart(atMost count: Int, per span: Duration, now: Int64) -> Bool {
            if let start, now - start < span.nanoseconds {
                guard logged < max(1, count) else { return false }
                logged += 1
            } else {
                start = now
                logged = 1
            }
            return true
        }
    }

    private struct Site: Hashable {
        let file: UInt
        let line: UInt
    }

    private static let sites = Locked<[Site: CallSiteLimit]>([:])

    private let state = Locked(State())

    /// The limit of a call site: a constant's address stands for the file.
    static func of(_ file: StaticString, _ line: UInt) -> CallSiteLimit {
        let address = file.hasPointerRepresentation ? UInt(bitPattern: file.utf8Start) : 0
        return sites.withLock { sites in
            let site = Site(file: address, line: line)
            if let known = sites[site] { return known }
            let made = CallSiteLimit()
            sites[site] = made
            return made
        }
    }

    func passes(_ rule: (inout State) -> Bool) -> Bool {
        var suppressed: UInt64 = 0
        return passes(rule, suppressed: &suppressed)
    }

    func passes(_ rule: (inout State) -> Bool, suppressed: inout UInt64) -> Bool {
        let outcome = state.withLock { state -> UInt64? in
            state.calls += 1
            guard rule(&state) else {
                state.suppressed += 1
                return nil
            }
            defer { state.suppressed = 0 }
            return state.suppressed
        }
        suppressed = outcome ?? 0
        return outcome != nil
    }
}
