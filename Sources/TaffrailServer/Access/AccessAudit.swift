internal import Taffrail

/// Which token does what, and from where: counted, and logged when it is new.
final class AccessAudit: Sendable {
    /// What one token does.
    private struct Use: Hashable {
        let token: String
        let action: String
    }

    private struct Place: Hashable {
        let use: Use
        let address: String
    }

    private struct State {
        var counts: [Use: Int] = [:]
        /// When it was logged last, by the monotonic clock.
        var logged: [Place: Int64] = [:]
    }

    /// The event of the records.
    static let event = "taffrail.access"
    /// How often the same use is logged.
    private static let interval: Int64 = 3_600_000_000_000
    private static let limit = 4_096

    private let state = Locked(State())

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - isRare: Whether each one is logged, instead of one in an hour.
    ///   - details: Further attributes of the record.
    /// - Returns: The record to log, if any.
    func note(
        _ access: Access, _ action: String, _ request: ServerRequest, isRare: Bool, _ details: [LogValueEntry] = []
    ) -> LogRecord? {
        guard !access.label.isEmpty else { return nil }
        let address = request.connection?.address ?? ""
        let use = Use(token: access.label, action: action)
        let place = Place(use: use, address: address)
        let now = SystemClock.monotonicNanoseconds()
        let isDue = state.withLock { state in
            if state.counts[use] != nil || state.counts.count < Self.limit { state.counts[use, default: 0] += 1 }
            if !isRare, let last = state.logged[place], now - last < Self.interval { return false }
            if state.logged.count >= Self.limit { state.logged = [:] }
            state.logged[place] = now
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
            attributes: attributes, logger: Receiver.logger)
    }

    /// The counts: requests by token and action, sorted.
    var counts: [(token: String, action: String, count: Int)] {
        state.withLock { $0.counts }.map { ($0.key.token, $0.key.action, $0.value) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    }
}
