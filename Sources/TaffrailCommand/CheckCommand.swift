#if Command
internal import ArgumentParser
internal import Taffrail
#if Configuration
internal import TaffrailConfiguration
#endif

/// `taffrail check [FILE]`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration and open nothing.",
        discussion: """
            Prints ok, or a line FILE:LINE:COLUMN: message for each problem; the exit code is then 78. Settings that are \
            valid but probably unintended are warnings on stderr.

            Example:
              taffrail check /etc/taffrail/taffrail.yaml
            """)

    @Argument(
        help: ArgumentHelp("The file (\(ConfigurationFlag.search)).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var file: String?

    func run() throws {
        #if Configuration
        guard let (_, plan) = try ConfigurationFlag.plan(file) else {
            StandardStream.complain(ConfigurationFlag.notFound)
            throw ExitCode.noInput
        }
        ConfigurationFlag.printWarnings(of: plan)
        print("ok")
        #else
        throw MissingTrait.configuration
        #endif
    }
}
#endif
