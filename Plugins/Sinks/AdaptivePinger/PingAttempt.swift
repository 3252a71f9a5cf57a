#if HTTP
internal import Taffrail
internal import TaffrailGeo

/// One attempt to send pings. Its record contains no coordinates.
struct PingAttempt: Sendable {
    /// The event name of its record.
    static let eventName = "ping.attempt"

    /// The time of the end of the attempt.
    var time: Timestamp
    /// The duration in nanoseconds.
    var latency: Int64
    /// The number of attempts for the same pings, including this one, in this run of the program.
    var number: Int
    /// The status of the response; `nil`: there was none.
    var status: Int?
    /// The reason why the pings were not accepted; `nil`: they were.
    var problem: String?
    /// The last of the pings.
    var ping: Ping
    /// The number of pings.
    var count: Int

    /// The record of the attempt.
    var record: LogRecord {
        let milliseconds = Double(latency) / 1e6
        var attributes: [LogValueEntry] = []
        if let status { attributes.append(LogValueEntry("http.response.status_code", .int(Int64(status)))) }
        attributes += [
            LogValueEntry(PingAttributes.latency, .double(milliseconds)),
            LogValueEntry(PingAttributes.attempt, .int(Int64(number))),
            LogValueEntry(PingAttributes.reason, .string(ping.reason.rawValue)),
            LogValueEntry(PingAttributes.mode, .string(ping.mode.rawValue)),
            LogValueEntry(PingAttributes.time, .date(ping.location.timestamp)),
        ]
        if count > 1 { attributes.append(LogValueEntry(PingAttributes.count, .int(Int64(count)))) }
        let message = problem.map { "ping not accepted: \($0)" } ?? "ping sent in \(Int(milliseconds.rounded())) ms"
        return LogRecord(
            timestamp: time, level: problem == nil ? .info : .warning, message: message, eventName: Self.eventName,
            attributes: attributes, logger: Ping.logger)
    }
}
#endif
