/// The contents of `LOGDIR/.taffrail/ledger`: the runs, and which of their records are missing (decision 0008).
package enum Ledger {
    /// Records that are missing for one reason.
    package struct Drop: Sendable, Equatable {
        /// The run that logged them.
        package var run: RingID
        /// The time of the entry.
        package var time: Timestamp
        package var reason: DropReason
        /// The sink that lacks them; empty: all sinks.
        package var sink: String
        /// The range that contains their numbers; `nil` when they have none or it is unknown.
        package var sequences: ClosedRange<UInt64>?
        /// Their count; less than the length of the range if it contains others.
        package var count: UInt64
        /// The count of each level, if known.
        package var levels: [Level: UInt64]

        package init(
            run: RingID, time: Timestamp, reason: DropReason, sink: String, sequences: ClosedRange<UInt64>?,
            count: UInt64, levels: [Level: UInt64]
        ) {
            self.run = run
            self.time = time
            self.reason = reason
            self.sink = sink
            self.sequences = sequences
            self.count = count
            self.levels = levels
        }
    }

    /// The end of a run: its ring no longer exists, and its sinks have all records except those recorded as dropped.
    package struct Ending: Sendable, Equatable {
        package var run: RingID
        /// The time of its start.
        package var startedAt: Timestamp
        /// The time when its ring was removed: at its end, or after its recovery.
        package var endedAt: Timestamp
        /// The number of sequence numbers that it assigned: its records are numbered from 1 to this.
        package var records: UInt64
        /// The name of the sink that wrote the log, as stored in the ledger: without spaces.
        package var sink: String
        /// The log's base name; empty if there was no log file.
        package var destination: String
    }

    /// A change of the configuration that added a log to a running program, or removed it.
    package struct LogChange: Sendable, Equatable {
        package var run: RingID
        /// The time of the entry.
        package var time: Timestamp
        /// The first affected number.
        package var from: UInt64
        /// Whether the log is written starting there.
        package var isWritten: Bool
        /// The log's base name.
        package var log: String
    }

    /// Records that were removed on purpose, together with their file.
    package struct Removal: Sendable, Equatable {
        /// The cause of the removal.
        package enum Reason: String, Sendable {
            /// Retention deleted the file.
            case retention
            /// The file was truncated, as by ``Logger/clearLog()``.
            case cleared
        }

        /// The run that logged them; zero if they were written without a queue, or if the index did not contain the file:
        /// then there are no numbers.
        package var run: RingID
        /// The time of the entry, before the removal.
        package var time: Timestamp
        package var reason: Reason
        /// The number of the first record, if known.
        package var first: UInt64?
        /// The number of the last record, if known.
        package var last: UInt64?
        /// The file's base name; for a compressed file the name before compression.
        package var file: String
    }
}
