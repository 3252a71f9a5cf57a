/// The counters of one call site. They are never freed.
final class CallSiteLimit: Sendable {
    struct State {
        /// Calls so far, including this one.
        var calls: UInt64 = 0
        /// Calls that were skipped since the last one that logged.
        var suppressed: UInt64 = 0
        /// The current span: its start on the monotonic clock, and how many calls logged in it.
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

    /// Returns the counters of a call site. The address of the constant identifies the file.
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

    /// Counts a call. Returns how many calls were skipped since the last one that logged; `nil` if `rule` skips it too.
    func count(by rule: (inout State) -> Bool) -> UInt64? {
        state.withLock { state in
            state.calls += 1
            guard rule(&state) else {
                state.suppressed += 1
                return nil
            }
            defer { state.suppressed = 0 }
            return state.suppressed
        }
    }
}
