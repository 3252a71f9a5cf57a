/// How lines look.
public enum LineOptions {
    /// How a record is written.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// `[2026-01-05 14:30:00.123] [INFO] message key=value`.
        case text
        /// A JSON object with `time` (RFC 3339 in UTC), `level`, `message` and, where there are such, `logger`, `event`,
        /// `attributes`, `trace_id`, `span_id`, `trace_flags`, `file`, `line`, `function`, `seq` and `run`.
        case json
        /// `time=2026-01-05T15:30:00.123+01:00 level=info msg="left pier" key=value`.
        case logfmt
        /// As ``FileOptions/pattern`` says.
        case pattern
    }

    /// How fine the time in a line is.
    public enum Precision: String, Sendable, Hashable, CaseIterable {
        /// Three digits.
        case milliseconds = "ms"
        /// Six digits.
        case microseconds = "us"
        /// Nine digits.
        case nanoseconds = "ns"
    }

    /// Whose clock lines show, and by whose midnight files are rotated.
    public enum Time: String, Sendable, Hashable, CaseIterable {
        /// The time zone of the process: `TZ`, else `/etc/localtime`.
        case local
        /// Universal time.
        case utc
    }
}

extension LineOptions.Precision {
    /// How many digits of a second it has.
    var digits: Int {
        switch self {
        case .milliseconds: 3
        case .microseconds: 6
        case .nanoseconds: 9
        }
    }

    /// How many nanoseconds the last digit stands for.
    var divisor: Int64 {
        switch self {
        case .milliseconds: 1_000_000
        case .microseconds: 1000
        case .nanoseconds: 1
        }
    }
}
