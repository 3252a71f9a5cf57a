#if HTTP
internal import TaffrailQuery

/// The reason why ClickHouse has not answered a query.
enum ClickHouseFailure: Error {
    /// It could not be reached.
    case unreachable(String)
    /// It refused the query, with the number of the error, or 0.
    case refused(Int, String)
    /// The answer has too many bytes.
    case tooBig
    /// The time limit has passed.
    case late
    /// The answer does not come from ClickHouse.
    case malformed(String)

    /// The error of a query.
    var error: LogQueryError {
        switch self {
        case .unreachable(let reason): LogQueryError(.unavailable, reason)
        case .malformed(let reason): LogQueryError(.unreadable, reason)
        case .tooBig: LogQueryError(.tooLong, "the answer has too many bytes")
        case .late: LogQueryError(.tooLong, "the time is over")
        case .refused(let code, let reason):
            switch code {
            // TIMEOUT_EXCEEDED, TOO_SLOW, TOO_MANY_ROWS, MEMORY_LIMIT_EXCEEDED, TOO_MANY_BYTES, QUERY_WAS_CANCELLED, and others of this kind.
            case 158, 159, 160, 241, 290, 307, 394, 396: LogQueryError(.tooLong, reason)
            // UNKNOWN_TABLE, UNKNOWN_DATABASE, and those of users and their rights.
            case 60, 81, 192...195, 164, 291, 497, 516: LogQueryError(.unreadable, reason)
            default: LogQueryError(.unavailable, reason)
            }
        }
    }
}
#endif
