#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// The store of a command.
struct StoreFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration that names the store (default: where taffrail run looks).", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The database.", valueName: "path"))
    var store: String?

    /// Finds the store: the named one, that of the configuration, else the program's own.
    ///
    /// - Parameters:
    ///   - plugin: The plugin of the sink that writes it.
    ///   - standard: The path of the program's own.
    func location(of plugin: String, standard: String) throws -> StoreLocation {
        try StoreLocation.find(plugin, store: store, configuration: config, standard: standard)
    }

    /// Reports that a deletion has left data in the log of the database.
    static func complainOfRest(_ answer: ControlCommand.Answer, of what: String) {
        guard answer["erased"] == .bool(false) else { return }
        StandardStream.complain(
            "a part of the deleted \(what) is still in the log of the database, because it is being read; repeat the "
                + "command later, or restart the program that writes it")
    }

    /// Writes a copy of a store into a file, and reports an error.
    static func backUp(_ copy: () throws(StoreError) -> Void) throws {
        do throws(StoreError) { try copy() } catch { throw ExitCode.cannotCreate.reporting(error) }
    }
}
#endif
