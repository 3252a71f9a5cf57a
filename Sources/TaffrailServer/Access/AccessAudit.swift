internal import Taffrail

/// Audits the use of tokens: counts every action, and logs new ones.
final class AccessAudit: Sendable {
    /// One kind of use: a token and an action.
    private struct Use: Hashable {
        let token: String
        let action: String
    }

    /// A kind of use from an address.
    private struct Origin: Hashable {
        let use: Use
        let address: String
    }

    private struct State {
        var counts: [Use: Int] = [:]
        /// When it was logged last, by the monotonic clock.
        var logged: [Origin: Int64] = [:]
        /// The number of logins logged in the hour that began at `start`.
        var logins: [String: (start: Int64, count: Int)] = [:]

        /// Returns whether one more login of a token may be logged.
        mutating func takeLogin(of token: String, _ now: Int64) -> Bool {
            var hour = logins[token] ?? (now, 0)
            if now - hour.start >= AccessAudit.interval { hour = (now, 0) }
            guard hour.count < AccessAudit.loginLimit else { return false }
            if logins.count >= AccessAudit.limit { logins = [:] }
            logins[token] = (hour.start, hour.count + 1)
            return true
        }
    }

    /// The event of the records.
    static let event = "taffrail.access"
    /// The logger of the receiver's own records.
    static let logger = "receiver"
    /// The interval at which the same use is logged, in nanoseconds.
    private static let interval: Int64 = 3_600_000_000_000
    /// The maximum number of logins and logouts of a token that are logged in an hour, besides each address's first.
    private static let loginLimit = 60
    private static let limit = 4_096

    private let state = Locked(State())
    private let now: @Sendable () -> Int64

    /// - Parameter now: The monotonic time, in nanoseconds.
    init(now: @escaping @Sendable () -> Int64 = { SystemClock.monotonicNanoseconds() }) { self.now = now }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - isLoggedEachTime: Whether each request is logged, instead of one in an hour.
    ///   - isLogin: Whether the number in an hour is limited nevertheless: clients with any role can log in.
    ///   - details: Further attributes of the record.
    /// - Returns: The record to log, if any.
    func note(
        _ access: Access, _ action: String, _ request: ServerRequest, isLoggedEachTime: Bool, isLogin: Bool = false,
        _ details: [LogValueEntry] = []
    ) -> LogRecord? {
        guard !access.label.isEmpty else { return nil }
        let address = request.connection?.address ?? ""
        let use = Use(token: access.label, action: action)
        let origin = Origin(use: use, address: address)
        let now = now()
        let isDue = state.withLock { state in
            if state.counts[use] != nil || state.counts.count < Self.limit { state.counts[use, default: 0] += 1 }
            if let last = state.logged[origin], now - last < Self.interval {
                guard isLoggedEachTime, !isLogin || state.takeLogin(of: access.label, now) else { return false }
            }
            if state.logged.count >= Self.limit { state.logged = [:] }
            state.logged[origin] = now
            return true
        }
        guard isDue else { return nil }
        var attributes =
            [
                LogValueEntry("taffrail.access.token", .string(access.label)),
                LogValueEntry("taffrail.access.action", .string(action)),
            ] + details
        if !address.isEmpty { attributes.append(LogValueEntry("client.address", .string(address))) }
        return LogRecord(
            level: .notice, message: "token \(access.label) is used for \(action)", eventName: Self.event,
            attributes: attributes, logger: Self.logger)
    }

    /// The counts: requests by token and action, sorted.
    var counts: [(token: String, action: String, count: Int)] {
        state.withLock { $0.counts }.map { ($0.key.token, $0.key.action, $0.value) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    }
}
