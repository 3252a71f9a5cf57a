#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// The store of a command.
struct StoreFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration that names the store (default: as for taffrail run).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(help: ArgumentHelp("The database, instead of a configuration.", valueName: "path"), completion: .file())
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
    static func reportRest(_ answer: ControlCommand.Answer, of what: String) {
        guard answer["erased"] == .bool(false) else { return }
        StandardStream.report(
            "part of the deleted \(what) is still in the write-ahead log, because the database is being read; repeat the "
                + "command later, or restart the program that writes it")
    }

    /// Returns the number of deleted points or records, as a message.
    ///
    /// - Parameters:
    ///   - count: The number in an answer; `nil` if it has none.
    ///   - noun: What they are, in the singular.
    static func deleted(_ count: LogValue?, _ noun: String) -> String {
        switch count ?? .int(0) {
        case .int(let number): "\(CountText.text(number, noun)) deleted"
        case let other: "\(other) \(noun)s deleted"
        }
    }

    /// Writes a copy of a store into a file, and reports an error.
    static func backUp(_ copy: () throws(StoreError) -> Void) throws {
        do throws(StoreError) { try copy() } catch { throw ExitCode.cannotCreate.reporting(error) }
    }
}
#endif
