internal import Glibc

/// The offset of local time from UTC as a function of time.
package struct ZoneOffset: Sendable {
    /// Seconds to add to UTC, at a number of seconds since 1970 (UTC).
    package let seconds: @Sendable (Int64) -> Int64

    package init(seconds: @escaping @Sendable (Int64) -> Int64) { self.seconds = seconds }

    /// No offset.
    package static let utc = ZoneOffset { _ in 0 }

    /// The time zone of the process: `TZ`, else `/etc/localtime`.
    package static let local = ZoneOffset { seconds in
        var time = time_t(seconds)
        var parts = tm()
        return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
    }

    /// Reads the process's time zone again, which may have changed since the start.
    static func reload() { tzset() }
}
