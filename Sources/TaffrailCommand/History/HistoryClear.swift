#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// `taffrail history clear`.
struct HistoryClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete all points; no trace remains in the database or its write-ahead log.")
    @OptionGroup var store: HistoryStore
    @OptionGroup var consent: DeletionConsent

    func run() throws {
        try consent.ask("Delete all points?")
        try store.delete(ControlCommand("clear")) { try $0.clear() }
    }
}
#endif
