#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailConfiguration
internal import TaffrailDelivery

/// The spools of a command.
struct SpoolChoice: ParsableArguments {
    @Option(
        help: ArgumentHelp("The configuration (\(ConfigurationFlag.search)).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(help: ArgumentHelp("Only the spool of this sink.", valueName: "name"))
    var sink: String?

    @Option(
        help: ArgumentHelp("The directory of a spool, instead of a configuration.", valueName: "path"),
        completion: .directory)
    var directory: String?

    /// A spool, with the name of its sink.
    struct Choice {
        let name: String
        let options: SpoolOptions
        /// The state directory with the ledger of its sink.
        let ledger: String
    }

    /// Returns the spools.
    func spools() throws -> [Choice] {
        if let directory {
            let path = DestinationPath.resolved(directory)
            try DirectoryArgument.check(path)
            let options = SpoolOptions(directory: path)
            return [Choice(name: path, options: options, ledger: options.stateDirectory)]
        }
        let (file, plan) = try ConfigurationFlag.requiredPlan(config)
        // The ledger is next to the log, like the program's ledger.
        let files = plan.plugins.first { $0.plugin.options is FileOptions }
        let log = files?.plugin.options.destinations(of: PluginInstance(named: "file")).first
            .flatMap { Directory.parent(of: $0) }
        let all = plan.plugins.compactMap { part -> Choice? in
            guard let options = part.plugin.options as? any SpoolingOptions else { return nil }
            let instance = part.plugin.instance
            let spool = options.resolvedSpool(of: instance)
            return Choice(
                name: part.name, options: spool, ledger: log.map { $0 + "/.taffrail" } ?? spool.stateDirectory)
        }
        let chosen = all.filter { sink == nil || $0.name == sink }
        guard !chosen.isEmpty else {
            let what = sink.map { "no sink \($0) with a spool" } ?? "no sink with a spool"
            throw ExitCode.noInput.reporting("\(file) has \(what)")
        }
        return chosen
    }

    /// Returns the spools that exist.
    func inspections() throws -> [(name: String, spool: SpoolInspection)] {
        try spools().compactMap { choice in
            guard Directory.exists(choice.options.directory) else { return nil }
            do throws(SystemError) { return (choice.name, try SpoolInspection(choice.options.directory)) } catch {
                throw ExitCode.inputOutput.reporting(error)
            }
        }
    }
}
#endif
