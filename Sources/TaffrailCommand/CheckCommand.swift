#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailConfiguration

/// `taffrail check [FILE]`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration and open nothing.",
        discussion: """
            Prints ok, or FILE:LINE:COLUMN: message for everything that is wrong, and then ends with 78. What cannot be \
            meant is a warning on stderr.

            Example:
              taffrail check /etc/taffrail/taffrail.yaml
            """)

    @Argument(
        help: ArgumentHelp("The file (\(ConfigurationFlag.search)).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var file: String?

    func run() throws {
        guard let (_, plan) = try ConfigurationFlag.plan(file) else {
            StandardStream.complain(ConfigurationFlag.notFound)
            throw ExitCode.noInput
        }
        ConfigurationFlag.printWarnings(of: plan)
        print("ok")
    }
}
#endif
