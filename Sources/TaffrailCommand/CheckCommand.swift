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

    @Argument(help: ArgumentHelp("The file (default: $TAFFRAIL_CONFIG, ./taffrail.yaml, …).", valueName: "file"))
    var file: String?

    func run() throws {
        guard let (_, plan) = try ConfigurationFlag.plan(file) else {
            StandardStream.complain("no configuration was found")
            throw ExitCode.noInput
        }
        for warning in plan.warnings {
            let place = "\(warning.file):\(warning.line):\(warning.column)"
            StandardStream.complain("\(place): warning: \(warning.message)", isPrefixed: false)
        }
        print("ok")
    }
}
#endif
