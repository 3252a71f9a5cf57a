#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo

/// `taffrail track stats|plot FILE`.
struct TrackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Say or show what a track is like.",
        subcommands: [Stats.self, Plot.self])

    /// `taffrail track stats FILE`.
    struct Stats: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats",
            abstract: "Print distance, times, speeds, climb and the bounding box.",
            discussion: """
                Distances are geodesics on the WGS84 ellipsoid. It moves from 1 km/h on; of altitudes only changes of \
                2 m and more count. Across a gap nothing is counted.

                Example:
                  taffrail track stats drive.gpx
                """)

        @Argument(help: ArgumentHelp("The track; - is the standard input.", valueName: "file"))
        var file: String

        @Option(help: "The format, where the name does not say it.")
        var format: TrackFormat?

        @Flag(help: "Print one JSON object, in SI units.")
        var json = false

        func run() throws {
            var statistics = TrackStatistics()
            try TrackFile.read(file, try TrackFile.format(file, format, flag: "--format")) { statistics.add($0) }
            print(json ? statistics.json : statistics.table, terminator: "")
        }
    }

    /// `taffrail track plot FILE`.
    struct Plot: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "plot",
            abstract: "Draw the route, and speed and altitude over time.",
            discussion: """
                Without --output it is drawn in the terminal: the whole picture where the terminal says that it shows \
                sixels or kitty's graphics, else the route in characters with 24-bit colours.

                Examples:
                  taffrail track plot drive.json
                  taffrail track plot drive.json --output drive.png
                """)

        @Argument(help: ArgumentHelp("The track; - is the standard input.", valueName: "file"))
        var file: String

        @Option(name: .shortAndLong, help: ArgumentHelp("A file that ends in .svg or .png.", valueName: "path"))
        var output: String?

        @Option(help: "How it is drawn in the terminal, which is asked otherwise: blocks, sixel or kitty.")
        var graphics: TerminalGraphics?

        @Option(help: "The format, where the name does not say it.")
        var format: TrackFormat?

        @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
        var force = false

        func run() throws {
            let picture = try output.map { path in
                let ending = path.split(separator: ".").last.map { $0.lowercased() }
                guard let picture = TrackPlot.Format.allCases.first(where: { $0.rawValue == ending }) else {
                    throw ValidationError("\(path) does not end in .svg or .png")
                }
                return picture
            }
            let name = file.split(separator: "/").last.map(String.init) ?? file
            var plot = TrackPlot(title: name)
            try TrackFile.read(file, try TrackFile.format(file, format, flag: "--format")) { plot.add($0) }
            guard let output, let picture else {
                let bytes = plot.terminalPicture(graphics ?? TerminalQuery.graphics, on: TerminalQuery.size)
                _ = bytes.withUnsafeBytes { StandardStream.write($0, to: 1) }
                return
            }
            do throws(RecordingError) {
                let target = try TextOutput(path: output, overwrites: force)
                target.append(plot.picture(picture))
                try target.finish()
            } catch {
                _ = TrackFile.exitCode(error)
                throw ExitCode.cannotCreate
            }
        }
    }
}
#endif
