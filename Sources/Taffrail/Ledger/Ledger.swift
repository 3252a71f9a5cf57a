/// What runs have logged and which of their records are missing, as `LOGDIR/.taffrail/ledger` has it (decision 0008).
///
/// A run that is alive has its newest counts in its ring: see ``QueueStatus``.
public struct Ledger: Sendable {
    /// Records that are missing for one reason.
    public struct Drop: Sendable, Hashable {
        /// The run that logged them.
        public var run: RingID
        /// When it was noted.
        public var time: Timestamp
        /// Why.
        public var reason: DropReason
        /// The sink that does not have them; empty: none has.
        public var sink: String
        /// The numbers that they lie among; `nil` when they have none or it is not known any more.
        public var sequences: ClosedRange<UInt64>?
        /// How many they are; fewer than the numbers where others lie between them.
        public var count: UInt64
        /// How many of each level, as far as that is known.
        public var levels: [Level: UInt64]
    }

    /// The end of a run: its ring is gone, and its sinks have everything but what is noted as dropped.
    public struct Ending: Sendable, Hashable {
        /// The run.
        public var run: RingID
        /// When it began.
        public var startedAt: Timestamp
        /// When its ring went: at its end, or after the recovery of what it left.
        public var endedAt: Timestamp
        /// How many numbers it gave: its records have the numbers from 1 to this.
        public var records: UInt64
        /// The name of the sink that wrote the log, as a line of the ledger has it: without blanks.
        public var sink: String
        /// The log's base name; empty where there was no log file.
        public var destination: String
    }

    /// A change of the configuration that gave a running program another log, or took one away.
    public struct LogChange: Sendable, Hashable {
        /// The run.
        public var run: RingID
        /// When it was noted.
        public var time: Timestamp
        /// The first number that it is about.
        public var from: UInt64
        /// Whether the log is written from there on.
        public var isWritten: Bool
        /// The log's base name.
        public var log: String
    }

    /// Records that were removed on purpose, with the file that had them.
    public struct Removal: Sendable, Hashable {
        /// Who removed them.
        public enum Reason: String, Sendable, Hashable {
            /// Retention deleted the file.
            case retention
            /// The file was emptied, as by ``Logger/clearLog()``.
            case cleared
        }

        /// The run that logged them; one of zeros where the index did not know it.
        public var run: RingID
        /// When it was noted, before the removal.
        public var time: Timestamp
        /// Who removed them.
        public var reason: Reason
        /// The number of the first, if it was known.
        public var first: UInt64?
        /// The number of the last, if it was known.
        public var last: UInt64?
        /// The file's base name; of a compressed one the name that it had before.
        public var file: String
    }

    /// What is missing, in the order in which it was noted.
    public private(set) var drops: [Drop] = []
    /// The runs that are over, one entry each, in the order of their ends.
    public private(set) var endings: [Ending] = []
    /// What logs running programs were given and lost, in the order in which it was noted.
    public private(set) var logChanges: [LogChange] = []
    /// What was removed on purpose, in the order in which it was noted.
    public private(set) var removals: [Removal] = []
    /// How many lines make no sense: torn by a full disk or changed by hand. What they said is not known.
    public private(set) var unreadable = 0

    /// Reads the ledger of a log directory; an empty one where there is none. Changes nothing.
    ///
    /// - Parameter directory: The directory of the logs, or its `.taffrail`.
    /// - Throws: ``SinkError`` when it is there and cannot be read.
    public static func read(directory: String) throws(SinkError) -> Ledger {
        let state = QueueStatus.stateDirectory(of: directory)
        do throws(SystemError) {
            return Ledger(try LedgerFile(directory: state).entries())
        } catch {
            throw .permanent("\(error)")
        }
    }

    init(_ entries: [LedgerEntry?]) {
        for entry in entries {
            switch entry {
            case .drop(let drop): drops.append(drop)
            case .end(let ending):
                // A run whose end was broken off ended twice.
                endings.removeAll { $0.run == ending.run }
                endings.append(ending)
            case .log(let change): logChanges.append(change)
            case .removal(let removal): removals.append(removal)
            case nil: unreadable += 1
            }
        }
    }

    /// What is missing of one run.
    public func drops(of run: RingID) -> [Drop] { drops.filter { $0.run == run } }
}
