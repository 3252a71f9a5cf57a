#if Command
public import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailTracks

/// Tracks on a command line: their formats, and what is printed about them.
enum TrackFile {
    /// Returns the format of a file: the given format, else the one implied by its name.
    ///
    /// - Parameter flag: The option that names one; `nil`: there is none.
    static func format(_ path: String, _ named: TrackFormat?, flag: String? = nil) throws -> TrackFormat {
        if let format = named ?? TrackFormat(path: path) { return format }
        let endings = TrackFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: " ")
        throw ValidationError("\(path) does not end in one of \(endings)" + (flag.map { "; use \($0)" } ?? ""))
    }

    /// Returns the format of a file that is read, which may also be a compressed recording.
    ///
    /// - Parameter flag: The option that names one.
    static func source(_ path: String, _ named: TrackFormat?, flag: String) throws -> TrackFormat {
        try format(path, named ?? TrackFormat(source: path), flag: flag)
    }

    /// Prints the result of a conversion, and the data that the new format could not hold.
    static func report(_ result: TrackConversion, as format: TrackFormat) {
        reportWarnings(result.warnings)
        StandardStream.report(
            "\(CountText.text(result.locations, "position")), \(CountText.text(result.events, "event"))")
        if !result.losses.summary.isEmpty {
            StandardStream.report("\(format.rawValue) cannot hold: \(result.losses.summary)")
        }
    }

    /// Prints what a reader skipped.
    static func reportWarnings(_ warnings: TrackWarnings) {
        for line in warnings.lines { StandardStream.report(line) }
    }

    /// Prints how many positions of a file were skipped.
    static func reportSkipped(_ count: Int64, in file: String) {
        guard count > 0 else { return }
        StandardStream.report("\(file): \(CountText.text(count, "position")) could not be read")
    }

    /// Reads a track to its end, and prints what was skipped.
    ///
    /// - Parameter device: Use only the positions and errors of this receiver; `nil`: all.
    static func read(
        _ path: String, _ format: TrackFormat, device: String? = nil, _ body: (GeoEvent) -> Void
    ) throws {
        do throws(RecordingError) {
            let reader = try format.reader(path: path)
            while let event = try reader.next() {
                if let device, !event.event.belongs(to: device) { continue }
                body(event.event)
            }
            reportWarnings(reader.warnings)
        } catch {
            throw ExitCode(error).reporting(error)
        }
    }
}

extension TrackFormat: ExpressibleByArgument {}
#endif
