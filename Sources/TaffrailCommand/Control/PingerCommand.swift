#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailText

/// `taffrail pinger start|stop|ping|status`.
struct PingerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pinger",
        abstract: "Start, stop and query the pinger of a program started by taffrail run.",
        discussion: """
            The sink pinger sends the position of this device when its policy decides so. A stopped pinger \
            stays stopped in later runs.

            Examples:
              taffrail pinger status --explain
              taffrail pinger stop --for 2h
              taffrail pinger ping
            """,
        subcommands: [Start.self, Stop.self, Ping.self, Status.self], defaultSubcommand: Status.self)

    /// The pinger, and the format of its answer.
    struct Flags: ParsableArguments {
        @OptionGroup var program: ControlFlags

        @Option(name: .long, help: "The key of the pinger in the configuration.")
        var name = "pinger"

        @Flag(name: .long, help: "Print the response as a line of JSON.")
        var json = false

        /// Sends a command, and prints the status that is its answer.
        func ask(_ command: ControlCommand) throws { try program.ask(command, of: name, printsLine: json) }
    }

    /// `taffrail pinger start`.
    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "start", abstract: "Send pings again.")
        @OptionGroup var flags: Flags

        func run() throws { try flags.ask(ControlCommand("start")) }
    }

    /// `taffrail pinger stop [--for DURATION]`.
    struct Stop: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stop", abstract: "Send no pings, and request no positions.")
        @OptionGroup var flags: Flags

        @Option(
            name: .customLong("for"),
            help: ArgumentHelp("The duration, such as 2h (default: until start).", valueName: "duration"))
        var duration: String?

        func validate() throws {
            guard let duration else { return }
            guard let value = DurationText.duration(duration), value > .zero else {
                throw ValidationError("--for must be a duration such as 2h, not \"\(duration)\"")
            }
        }

        func run() throws {
            try flags.ask(ControlCommand("stop", duration.map { [LogValueEntry("for", .string($0))] } ?? []))
        }
    }

    /// `taffrail pinger ping`.
    struct Ping: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ping", abstract: "Send the next position that has an accuracy, even if pings are stopped.")
        @OptionGroup var flags: Flags

        func run() throws { try flags.ask(ControlCommand("ping")) }
    }

    /// `taffrail pinger status [--explain]`.
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Print the mode, the last decision and the earliest next ping.")
        @OptionGroup var flags: Flags

        @Flag(name: .long, help: "Print why the last position was or was not sent.")
        var explain = false

        func run() throws {
            try flags.ask(ControlCommand("status", explain ? [LogValueEntry("explain", true)] : []))
        }
    }
}
#endif
