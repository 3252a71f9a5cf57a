#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailTransport

/// `taffrail home set|show|clear`.
struct HomeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "Set, show or clear the home of this device, for ping policies.",
        discussion: """
            The home is stored in the state directory next to the log, readable only by the owner. A program started \
            by taffrail run uses a change at once; if none is running, the next run uses it.

            Examples:
              taffrail home set
              taffrail home set 55.6761,12.5683
              taffrail home show
            """,
        subcommands: [Set.self, Show.self, Clear.self])

    /// `taffrail home set [LATITUDE,LONGITUDE]`.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set the home to a place, or to the current position.",
            discussion: """
                The current position is the program's last one if it is at most ten minutes old. Otherwise one is \
                requested from the program's inputs or, if it has none, from the gpsd of this machine.
                """)

        @OptionGroup var program: ControlFlags

        // A southern latitude looks like an option.
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Degrees; south and west are negative.", valueName: "lat,lon"))
        var place: [String] = []

        func run() throws {
            let place = place.filter { $0 != "--" }
            guard place.count <= 1 else {
                throw ValidationError("expected one place as LATITUDE,LONGITUDE, such as 55.6761,12.5683")
            }
            let coordinate = try place.first.map { try PlaceArgument.coordinate($0) }
            let arguments = coordinate.map {
                [LogValueEntry("latitude", .double($0.latitude)), LogValueEntry("longitude", .double($0.longitude))]
            }
            let answer = try HomeCommand.ask(ControlCommand("set", arguments ?? []), program)
            print("home \(HomeCommand.text(answer)), from the \(CtlWords.text(answer["from"] ?? "command"))")
        }
    }

    /// `taffrail home show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the home as LATITUDE,LONGITUDE.",
            discussion: "The exit status is 66 if none is set.")

        @OptionGroup var program: ControlFlags

        func run() throws {
            let answer = try HomeCommand.ask(ControlCommand("show"), program)
            guard answer["latitude"] != nil else {
                throw ExitCode.noInput.reporting("no home is set; see taffrail home set")
            }
            print(HomeCommand.text(answer))
        }
    }

    /// `taffrail home clear`.
    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "clear", abstract: "Delete the home position.")

        @OptionGroup var program: ControlFlags

        func run() throws { _ = try HomeCommand.ask(ControlCommand("clear"), program) }
    }

    /// Runs a command in the running program or, without one, in its state directory.
    fileprivate static func ask(_ command: ControlCommand, _ program: ControlFlags) throws -> ControlCommand.Answer {
        let answer: ControlCommand.Answer
        if let client = try program.connect() {
            do throws(SystemError) {
                // The program may have to wait for a position.
                answer = try client.ask(command, of: HomeControl.name, timeout: .seconds(15)).answer
            } catch { throw ExitCode.inputOutput.reporting(error) }
        } else {
            guard let directory = try program.directories().first else {
                throw ExitCode.noInput.reporting(
                    "the configuration has no state directory, so the home cannot be stored")
            }
            do { answer = try HomeControl(directory).execute(command) } catch {
                answer = ControlCommand.Answer(problem: "\(error)")
            }
        }
        if let problem = answer.problem {
            throw ExitCode.dataError.reporting(problem)
        }
        return answer
    }

    fileprivate static func text(_ answer: ControlCommand.Answer) -> String {
        "\(answer["latitude"] ?? ""),\(answer["longitude"] ?? "")"
    }
}
#endif
