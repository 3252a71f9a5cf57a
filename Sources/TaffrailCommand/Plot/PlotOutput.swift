#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailText
internal import TaffrailTracks

/// The output of a plot: a file, or the terminal.
enum PlotOutput {
    /// The formats of files. PNG and PDF are converted from SVG by rsvg-convert.
    enum Format: String {
        case svg, png, pdf

        /// The format given by a file name.
        init(path: String) throws {
            let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
            guard path.contains("."), let format = Format(rawValue: ending) else {
                throw ValidationError("\(path) does not end in .svg, .png or .pdf")
            }
            self = format
        }
    }

    /// Writes the picture to a file, which appears only when it is complete.
    static func write(_ plot: TrackPlot, as format: Format, to path: String, overwrites: Bool) throws {
        try write(plot.svg, as: format, to: path, overwrites: overwrites)
    }

    /// Writes a picture that is SVG.
    static func write(_ svg: [UInt8], as format: Format, to path: String, overwrites: Bool) throws {
        let bytes = format == .svg ? svg : try converted(svg, to: format, for: path)
        do throws(RecordingError) {
            let target = try TextOutput(path: path, overwrites: overwrites)
            target.append(bytes)
            try target.finish()
        } catch {
            throw ExitCode(writing: error).reporting(error)
        }
    }

    private static func converted(_ svg: [UInt8], to format: Format, for path: String) throws -> [UInt8] {
        guard let program = ExternalProgram("rsvg-convert") else {
            throw ExitCode.unavailable.reporting(
                "\(path) needs rsvg-convert; install the package librsvg2-bin, or write an .svg")
        }
        // Twice the size, for high-resolution screens.
        let zoom = format == .png ? ["--zoom", "2"] : []
        let result: (status: CInt, bytes: [UInt8])
        do throws(SystemError) {
            result = try program.output(["--format", format.rawValue] + zoom, input: svg)
        } catch { throw ExitCode.inputOutput.reporting(error) }
        guard result.status == 0, !result.bytes.isEmpty else {
            throw ExitCode.unavailable.reporting("\(program.path) failed with exit status \(result.status)")
        }
        return result.bytes
    }

    /// Draws on stdout: the whole picture with chafa if the terminal shows graphics, else the route in characters.
    static func draw(_ plot: TrackPlot, as graphics: TerminalGraphics) {
        let (columns, rows) = TerminalQuery.size
        if graphics != .blocks, let chafa = ExternalProgram("chafa") {
            let arguments = [
                "--format", graphics == .kitty ? "kitty" : "sixels", "--size", "\(columns)x\(max(1, rows - 2))",
                "--animate", "off", "-",
            ]
            if (try? chafa.run(arguments, input: plot.svg)) == 0 { return }
        }
        let hasColors = Environment.showsColors(on: 1)
        let text = plot.halfBlocks(columns: columns, rows: max(1, rows - 2), hasColors: hasColors)
        StandardStream.write(text, to: 1)
    }
}
#endif
