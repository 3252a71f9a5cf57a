package import Taffrail

/// The contents of a ledger.
package struct LedgerContents: Sendable {
    /// Missing records, in the order of the entries.
    package private(set) var drops: [Ledger.Drop] = []
    /// The runs that are over, one entry for each of their logs here, in the order of their ends.
    package private(set) var endings: [Ledger.Ending] = []
    /// Logs that were added to and removed from running programs, in the order of the entries.
    package private(set) var logChanges: [Ledger.LogChange] = []
    /// Records removed on purpose, in the order of the entries.
    package private(set) var removals: [Ledger.Removal] = []
    /// The number of invalid lines: cut off by a full disk or changed by hand.
    package private(set) var unreadable = 0

    init(_ entries: [LedgerEntry?]) {
        for entry in entries {
            switch entry {
            case .drop(let drop): drops.append(drop)
            case .end(let ending):
                // A run whose end was interrupted may have two endings.
                endings.removeAll { $0.run == ending.run && $0.destination == ending.destination }
                endings.append(ending)
            case .log(let change): logChanges.append(change)
            case .removal(let removal): removals.append(removal)
            case nil: unreadable += 1
            }
        }
    }

    /// Returns the missing records of one run.
    package func drops(of run: RingID) -> [Ledger.Drop] { drops.filter { $0.run == run } }
}

extension Ledger {
    /// Reads the ledger of a log directory; empty if it does not exist. Changes nothing.
    ///
    /// The newest counts of a live run are in its ring: see ``QueueStatus``.
    ///
    /// - Parameter directory: The directory of the logs, or its `.taffrail`.
    /// - Throws: `SinkError` when it exists and cannot be read.
    package static func read(directory: String) throws(SinkError) -> LedgerContents {
        let state = QueueStatus.stateDirectory(of: directory)
        do throws(SystemError) {
            return LedgerContents(try LedgerFile(directory: state).entries())
        } catch {
            throw .permanent("\(error)")
        }
    }
}
