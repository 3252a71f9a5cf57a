package import Taffrail

/// All that a ledger notes.
package struct LedgerContents: Sendable {
    /// What is missing, in the order in which it was noted.
    package private(set) var drops: [Ledger.Drop] = []
    /// The runs that are over, one entry for each of their logs here, in the order of their ends.
    package private(set) var endings: [Ledger.Ending] = []
    /// What logs running programs were given and lost, in the order in which it was noted.
    package private(set) var logChanges: [Ledger.LogChange] = []
    /// What was removed on purpose, in the order in which it was noted.
    package private(set) var removals: [Ledger.Removal] = []
    /// How many lines make no sense: torn by a full disk or changed by hand. What they said is not known.
    package private(set) var unreadable = 0

    init(_ entries: [LedgerEntry?]) {
        for entry in entries {
            switch entry {
            case .drop(let drop): drops.append(drop)
            case .end(let ending):
                // A run whose end was broken off ended twice.
                endings.removeAll { $0.run == ending.run && $0.destination == ending.destination }
                endings.append(ending)
            case .log(let change): logChanges.append(change)
            case .removal(let removal): removals.append(removal)
            case nil: unreadable += 1
            }
        }
    }

    /// What is missing of one run.
    package func drops(of run: RingID) -> [Ledger.Drop] { drops.filter { $0.run == run } }
}

extension Ledger {
    /// Reads the ledger of a log directory; an empty one where there is none. Changes nothing.
    ///
    /// A run that is alive has its newest counts in its ring: see ``QueueStatus``.
    ///
    /// - Parameter directory: The directory of the logs, or its `.taffrail`.
    /// - Throws: `SinkError` when it is there and cannot be read.
    package static func read(directory: String) throws(SinkError) -> LedgerContents {
        let state = QueueStatus.stateDirectory(of: directory)
        do throws(SystemError) {
            return LedgerContents(try LedgerFile(directory: state).entries())
        } catch {
            throw .permanent("\(error)")
        }
    }
}
