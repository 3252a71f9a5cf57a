package import Taffrail

/// The progress of an upload.
package struct UploadStatus: Sendable, Equatable {
    /// Records that the destination has accepted, in this run of the program.
    package var sent: UInt64 = 0
    /// Bytes sent, in this run of the program.
    package var sentBytes: UInt64 = 0
    package var batches: UInt64 = 0
    /// Records that the destination has refused.
    package var refused: UInt64 = 0
    /// The reason why the last attempt failed; `nil` after a success.
    package var problem: String?
    /// The time of the next attempt, ns since 1970; `nil`: as soon as there is something to send.
    package var nextAttempt: Int64?
    /// The time of the oldest record that has not been sent, ns since 1970.
    package var oldest: Int64?
    /// The time at which a batch was last accepted, ns since 1970.
    package var lastAccepted: Int64?

    /// Returns the status as values of a status file.
    package func values(of spool: Spool, now: Int64, since start: Int64) -> [LogValueEntry] {
        let waiting = spool.pendingBytes
        var values = [
            LogValueEntry("spool", .string(spool.options.directory)), LogValueEntry("bytes", .int(spool.bytes)),
            LogValueEntry("waiting_bytes", .int(waiting)), LogValueEntry("sent", LogValue(sent)),
            LogValueEntry("sent_bytes", LogValue(sentBytes)),
        ]
        let seconds = Double(max(1_000_000_000, now &- start)) / 1e9
        values.append(LogValueEntry("bytes_per_day", .int(Int64((Double(sentBytes) / seconds * 86_400).rounded()))))
        if let oldest, waiting > 0 {
            values.append(
                LogValueEntry("oldest_age", .string(DurationText.text(.seconds(max(0, now - oldest) / 1_000_000_000)))))
        }
        if let lastAccepted {
            values.append(LogValueEntry("last_accepted", .date(Timestamp(nanoseconds: lastAccepted))))
        }
        if refused > 0 { values.append(LogValueEntry("refused", LogValue(refused))) }
        if let problem { values.append(LogValueEntry("last_error", .string(problem))) }
        if let nextAttempt { values.append(LogValueEntry("next_attempt", .date(Timestamp(nanoseconds: nextAttempt)))) }
        return values
    }
}
