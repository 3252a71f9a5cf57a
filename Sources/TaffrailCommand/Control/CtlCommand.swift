#if Command
internal import ArgumentParser

/// `taffrail ctl [--config FILE] COMMAND`.
struct CtlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Control a program started by taffrail run.",
        discussion: """
            The program is found by its configuration, by the directory of its log, or by its control socket, which \
            only programs started by taffrail run have. Levels apply until the configuration is reloaded. NAME is a key \
            under plugins: in the configuration: an input simulated, whose position can be set, or geo-replay, which \
            can be paused, resumed and positioned.

            Example:
              taffrail ctl level debug net.http
              taffrail ctl simulated set 55.6761,12.5683
              taffrail ctl simulated start 55.6761,12.5683 55.7,12.6 --speed 12 --loop
              taffrail ctl simulated clear
              taffrail ctl geo-replay seek 00:10:00
            """)

    @OptionGroup var program: ControlFlags

    @Flag(name: .long, help: "Print the response as a line of JSON.")
    var json = false

    @Option(name: .long, help: ArgumentHelp("The speed of simulated start, in metres per second.", valueName: "m/s"))
    var speed: Double?

    @Flag(name: .long, help: "Repeat the route of simulated start.")
    var loop = false

    // A southern latitude or a backward jump looks like an option.
    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp(
            "status, level LEVEL [LOGGER], level default LOGGER, or NAME and a command of the plugin.",
            valueName: "command"))
    var words: [String]

    func run() throws {
        let (command, plugin) = try CtlWords.command(words, speed: speed, loops: loop)
        try program.ask(command, of: plugin, printsLine: json)
    }
}
#endif
