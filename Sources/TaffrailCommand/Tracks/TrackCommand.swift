#if Command
public import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
public import TaffrailTracks

/// `taffrail track stats|plot FILE`.
struct TrackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Show statistics for a track, or plot it.",
        subcommands: [Stats.self, Plot.self])

    /// `taffrail track stats FILE`.
    struct Stats: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats",
            abstract: "Print distance, times, speeds, climb and the bounding box.",
            discussion: """
                Distances are geodesics on the WGS84 ellipsoid. Speeds below 1 km/h count as stopped; altitude changes \
                under 2 m and gaps are ignored. Several receivers are reported separately.

                Example:
                  taffrail track stats drive.gpx
                """)

        @Argument(help: ArgumentHelp("The track; - is stdin.", valueName: "file"), completion: .file())
        var file: String

        @Option(help: "The format (default: from the name).")
        var format: TrackFormat?

        @Option(help: ArgumentHelp("Use only the positions of this receiver (default: all).", valueName: "device"))
        var device: String?

        @Option(help: "Kilometres and km/h (metric), or nautical miles and knots (nautical).")
        var units = TrackUnits.metric

        @Flag(help: "Print a JSON object per receiver, one per line, in SI units.")
        var json = false

        func run() throws {
            var receivers = ReceiverStatistics()
            let format = try TrackFile.source(file, format, flag: "--format")
            try TrackFile.read(file, format, device: device) { receivers.add($0) }
            print(json ? receivers.json : receivers.table(in: units), terminator: "")
        }
    }

    /// `taffrail track plot FILE`.
    struct Plot: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "plot",
            abstract: "Draw the route, and speed and altitude over time.",
            discussion: """
                The route is coloured by speed; gaps are dashed. Without --output the plot is drawn in the terminal: the \
                whole picture if the terminal supports sixels or kitty's graphics and chafa is installed, else only the \
                route, in characters. PNG and PDF need rsvg-convert (package librsvg2-bin).

                Examples:
                  taffrail track plot drive.json
                  taffrail track plot drive.json --output drive.png
                """)

        @Argument(help: ArgumentHelp("The track; - is stdin.", valueName: "file"), completion: .file())
        var file: String

        @Option(
            name: .shortAndLong, help: ArgumentHelp("A file name ending in .svg, .png or .pdf.", valueName: "path"),
            completion: .file())
        var output: String?

        @Option(help: "The graphics of the terminal: blocks, sixel or kitty (default: detected).")
        var graphics: TerminalGraphics?

        @Option(help: "Kilometres and km/h (metric), or nautical miles and knots (nautical).")
        var units = TrackUnits.metric

        @Option(help: "The format (default: from the name).")
        var format: TrackFormat?

        @Option(help: ArgumentHelp("Draw only this receiver (default: the first).", valueName: "device"))
        var device: String?

        @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
        var force = false

        func run() throws {
            let picture = try output.map { try PlotOutput.Format(path: $0) }
            var plot = TrackPlot(title: FileName.base(of: file), units: units)
            let format = try TrackFile.source(file, format, flag: "--format")
            var shown = device
            var others: [String] = []
            try TrackFile.read(file, format, device: device) { event in
                if let location = event.location {
                    let receiver = location.extra.device ?? ""
                    shown = shown ?? receiver
                    guard receiver == shown else {
                        if !others.contains(receiver) { others.append(receiver) }
                        return
                    }
                } else if let shown, !event.belongs(to: shown) {
                    return
                }
                plot.add(event)
            }
            if let shown, !others.isEmpty {
                let names = others.joined(separator: ", ")
                StandardStream.report("the plot shows \(shown); choose another receiver with --device: \(names)")
            }
            guard let output, let picture else {
                return PlotOutput.draw(plot, as: graphics ?? TerminalQuery.graphics)
            }
            try PlotOutput.write(plot, as: picture, to: output, overwrites: force)
        }
    }
}

extension TrackUnits: ExpressibleByArgument {}
#endif
