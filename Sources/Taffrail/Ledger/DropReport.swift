internal import CTaffrail

/// The record that reports how many records were dropped, by level.
struct DropReport {
    let header: RingHeader

    /// How many drops have not been reported.
    var unsaid: UInt64 { Level.allCases.reduce(0) { $0 &+ header.dropped($1) &- header.reportedDrops($1) } }

    /// Logs the report if there is something to report and room for it. On the writer thread.
    ///
    /// - Returns: Whether it is in the queue.
    func submit(to queue: WriteQueue) -> Bool {
        var total: UInt64 = 0
        var attributes: [LogValueEntry] = []
        var said: [(Level, UInt64)] = []
        for level in Level.allCases {
            let count = header.dropped(level)
            let new = count &- header.reportedDrops(level)
            guard new > 0 else { continue }
            total &+= new
            attributes.append(LogValueEntry("taffrail.dropped.\(level.name)", LogValue(new)))
            said.append((level, count))
        }
        guard total > 0 else { return false }
        let message = "dropped \(total) \(total == 1 ? "record" : "records")"
        let record = LogRecord(level: .warning, message: message, attributes: attributes, logger: "taffrail")
        guard queue.submitFromWriter(record) else { return false }
        for (level, count) in said { header.setReportedDrops(level, count) }
        Diagnostics.report(message)
        return true
    }
}
