/// What `LOGDIR/.taffrail/ledger` notes of what runs have logged and which of their records are missing (decision 0008).
package enum Ledger {
    /// Records that are missing for one reason.
    package struct Drop: Sendable, Hashable {
        /// The run that logged them.
        package var run: RingID
        /// When it was noted.
        package var time: Timestamp
        /// Why.
        package var reason: DropReason
        /// The sink that does not have them; empty: none has.
        package var sink: String
        /// The numbers that they lie among; `nil` when they have none or it is not known any more.
        package var sequences: ClosedRange<UInt64>?
        /// How many they are; fewer than the numbers where others lie between them.
        package var count: UInt64
        /// How many of each level, as far as that is known.
        package var levels: [Level: UInt64]

        package init(
            run: RingID, time: Timestamp, reason: DropReason, sink: String, sequences: ClosedRange<UInt64>?,
            count: UInt64,
            levels: [Level: UInt64]
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

    /// The end of a run: its ring is gone, and its sinks have everything but what is noted as dropped.
    package struct Ending: Sendable, Hashable {
        /// The run.
        package var run: RingID
        /// When it began.
        package var startedAt: Timestamp
        /// When its ring went: at its end, or after the recovery of what it left.
        package var endedAt: Timestamp
        /// How many numbers it gave: its records have the numbers from 1 to this.
        package var records: UInt64
        /// The name of the sink that wrote the log, as a line of the ledger has it: without blanks.
        package var sink: String
        /// The log's base name; empty where there was no log file.
        package var destination: String
    }

    /// A change of the configuration that gave a running program another log, or took one away.
    package struct LogChange: Sendable, Hashable {
        /// The run.
        package var run: RingID
        /// When it was noted.
        package var time: Timestamp
        /// The first number that it is about.
        package var from: UInt64
        /// Whether the log is written from there on.
        package var isWritten: Bool
        /// The log's base name.
        package var log: String
    }

    /// Records that were removed on purpose, with the file that had them.
    package struct Removal: Sendable, Hashable {
        /// Who removed them.
        package enum Reason: String, Sendable, Hashable {
            /// Retention deleted the file.
            case retention
            /// The file was emptied, as by ``Logger/clearLog()``.
            case cleared
        }

        /// The run that logged them; one of zeros where the index did not know it.
        package var run: RingID
        /// When it was noted, before the removal.
        package var time: Timestamp
        /// Who removed them.
        package var reason: Reason
        /// The number of the first, if it was known.
        package var first: UInt64?
        /// The number of the last, if it was known.
        package var last: UInt64?
        /// The file's base name; of a compressed one the name that it had before.
        package var file: String
    }
}
