#if Command && Store
internal import ArgumentParser
internal import TaffrailStore

/// Which store a command is about.
struct StoreFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration that has the store (default: where taffrail run looks).", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The database.", valueName: "path"))
    var store: String?

    /// Finds the store: the one that is named, that of the configuration, else the program's own.
    ///
    /// - Parameters:
    ///   - plugin: The plugin of the sink that writes it.
    ///   - standard: The path of the program's own.
    func place(of plugin: String, standard: String) throws -> StorePlace {
        try StorePlace.find(plugin, store: store, configuration: config, standard: standard)
    }

    /// Writes a copy of a store into a file, and reports why it cannot.
    static func backUp(_ copy: () throws(StoreError) -> Void) throws {
        do throws(StoreError) { try copy() } catch {
            StandardStream.complain("\(error)")
            throw ExitCode.cannotCreate
        }
    }
}
#endif
