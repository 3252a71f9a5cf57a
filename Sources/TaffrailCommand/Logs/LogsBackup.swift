#if Command && Store
internal import ArgumentParser
internal import TaffrailStore

/// `taffrail logs backup FILE`.
struct LogsBackup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the store to a new file, even while it is in use.")
    @Argument(help: ArgumentHelp("The new file.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var store: LogsStore

    func run() throws {
        let reader = try store.reader()
        try StoreFlags.backUp { () throws(StoreError) in try reader.backUp(to: file) }
    }
}
#endif
