#if Command
internal import ArgumentParser
internal import Taffrail
#if Configuration
internal import TaffrailConfiguration
internal import TaffrailDelivery
#endif

/// `taffrail check [FILE]`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration without opening anything.",
        discussion: """
            Prints ok, or a line FILE:LINE:COLUMN: message for each problem; the exit status is then 78. Settings that \
            are valid but probably unintended are warnings on stderr.

            Example:
              taffrail check /etc/taffrail/taffrail.yaml
            """)

    @Argument(
        help: ArgumentHelp("The file (\(ConfigurationFlag.search)).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var file: String?

    func run() throws {
        #if Configuration
        let plan = try ConfigurationFlag.requiredPlan(file).plan
        ConfigurationFlag.printWarnings(of: plan)
        for warning in Self.sharedSpools(of: plan) { StandardStream.report(warning, isPrefixed: false) }
        print("ok")
        #else
        throw MissingTrait.configuration
        #endif
    }

    #if Configuration
    /// Returns warnings about spools that other configurations of the same program share.
    private static func sharedSpools(of plan: Plan) -> [String] {
        plan.plugins.compactMap { part in
            let instance = part.plugin.instance
            guard let options = part.plugin.options as? any SpoolingOptions, instance.log == nil else { return nil }
            let directory = options.resolvedSpool(of: instance).directory
            // A spool that the configuration names is the same everywhere.
            let elsewhere = PluginInstance(name: part.name, logDirectory: "/elsewhere", program: "")
            guard options.resolvedSpool(of: elsewhere).directory != directory else { return nil }
            return
                "\(plan.file ?? "the configuration"):\(part.line):\(part.column): warning: \(part.name): without a sink "
                + "file, the spool is \(directory), as with every such configuration of a program of this name; "
                + "set spool.directory"
        }
    }
    #endif
}
#endif
