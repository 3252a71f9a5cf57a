internal import Synchronization

/// Counts the records of a run that were dropped, and logs their counts by level. Confined to the writer thread.
struct DropReporter {
    private let header: RingHeader
    /// The last report: the number of the record that came next, and how many of the drops were by sinks.
    private var last: (sequence: UInt64, refused: UInt64) = (0, 0)

    init(_ header: RingHeader) { self.header = header }

    /// Updates the counts in the ring of records dropped by calls.
    func collect(from control: QueueControl) {
        for reason in DropReason.ofCallers {
            for level in Level.allCases {
                let count = control.takeDrops(level, for: reason)
                if count > 0 { header.countDrop(level, for: reason, count) }
            }
        }
    }

    /// Logs the number of drops that have not been reported.
    ///
    /// - Parameter next: The number of the record that comes next.
    mutating func report(to queue: WriteQueue, next: UInt64) {
        let missing = header.unreportedDrops
        guard missing > 0 else { return }
        let refused = queue.control.refused.pointee.load(ordering: .relaxed)
        // Drops of records that sinks log during this report do not cause another report, which would never end.
        if missing <= refused &- last.refused && next &- last.sequence <= 1 { return }
        var total: UInt64 = 0
        var attributes: [LogValueEntry] = []
        var reported: [(Level, UInt64)] = []
        for level in Level.allCases {
            let count = header.dropped(level)
            let new = count &- header.reportedDrops(level)
            guard new > 0 else { continue }
            total &+= new
            attributes.append(LogValueEntry("taffrail.dropped.\(level.name)", LogValue(new)))
            reported.append((level, count))
        }
        guard total > 0 else { return }
        let message = "dropped \(CountText.text(total, "record"))"
        let record = LogRecord(level: .warning, message: message, attributes: attributes, logger: "taffrail")
        guard queue.submitFromWriter(record) else { return }
        for (level, count) in reported { header.setReportedDrops(level, count) }
        Diagnostics.report(message)
        last = (next, refused)
    }
}
