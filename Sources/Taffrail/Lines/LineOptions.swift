/// The format of lines.
public enum LineOptions {
    /// The format of a record.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// `[2026-01-05 14:30:00.123] [INFO] message key=value`.
        case text
        /// A JSON object with `time` (RFC 3339 in UTC), `level`, `message` and, if present, `logger`, `event`,
        /// `attributes`, `trace_id`, `span_id`, `trace_flags`, `file`, `line`, `function`, `seq` and `run`.
        case json
        /// `time=2026-01-05T15:30:00.123+01:00 level=info msg="left pier" key=value`.
        case logfmt
        /// Defined by ``FileOptions/pattern``.
        case pattern
    }

    /// The precision of the time in a line.
    public enum Precision: String, Sendable, Hashable, CaseIterable {
        /// Three digits.
        case milliseconds = "ms"
        /// Six digits.
        case microseconds = "us"
        /// Nine digits.
        case nanoseconds = "ns"
    }

    /// The time zone of lines, and of the midnight at which files are rotated.
    public enum Time: String, Sendable, Hashable, CaseIterable {
        /// The time zone of the process: `TZ`, else `/etc/localtime`.
        case local
        /// Coordinated Universal Time.
        case utc
    }
}

extension LineOptions.Precision {
    /// The digits of the fraction of a second, and the nanoseconds that the last one represents.
    var fraction: (digits: Int, divisor: Int64) {
        switch self {
        case .milliseconds: (3, 1_000_000)
        case .microseconds: (6, 1000)
        case .nanoseconds: (9, 1)
        }
    }
}
