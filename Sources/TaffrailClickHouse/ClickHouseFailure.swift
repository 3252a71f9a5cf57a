#if HTTP
internal import TaffrailQuery

/// The reason why a query of ClickHouse failed.
enum ClickHouseFailure: Error {
    /// The server could not be reached.
    case unreachable(String)
    /// The server refused the query: the error number, or 0.
    case refused(Int, String)
    /// The response is too large.
    case tooBig
    /// The time limit was exceeded.
    case late
    /// The response is not one of ClickHouse.
    case malformed(String)

    /// The error that is thrown to the caller of a query.
    var error: LogQueryError {
        switch self {
        case .unreachable(let reason): LogQueryError(.unavailable, reason)
        case .malformed(let reason): LogQueryError(.unreadable, reason)
        case .tooBig: LogQueryError(.tooLong, "the response is too large")
        case .late: LogQueryError(.tooLong, "the time limit was exceeded")
        case .refused(let code, let reason):
            switch code {
            // TIMEOUT_EXCEEDED, TOO_SLOW, TOO_MANY_ROWS, MEMORY_LIMIT_EXCEEDED, TOO_MANY_BYTES, QUERY_WAS_CANCELLED…
            case 158, 159, 160, 241, 290, 307, 394, 396: LogQueryError(.tooLong, reason)
            // UNKNOWN_TABLE, UNKNOWN_DATABASE, and errors about users and permissions.
            case 60, 81, 192...195, 164, 291, 497, 516: LogQueryError(.unreadable, reason)
            default: LogQueryError(.unavailable, reason)
            }
        }
    }
}
#endif
