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

    package init(_ entries: [LedgerEntry?]) {
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
}
