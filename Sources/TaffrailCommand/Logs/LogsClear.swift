#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// `taffrail logs clear`.
struct LogsClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete all records; no trace remains in the database or its write-ahead log.")
    @OptionGroup var store: LogsStore

    @OptionGroup var consent: DeletionConsent

    func run() throws {
        try consent.ask("Delete all records?")
        print(StoreFlags.deleted(try store.execute(ControlCommand("clear")) { try $0.clear() }, "record"))
    }
}
#endif
