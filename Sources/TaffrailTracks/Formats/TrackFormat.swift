internal import Taffrail
public import TaffrailRecording
internal import TaffrailText

/// The file formats of tracks.
public enum TrackFormat: String, Sendable, Hashable, CaseIterable {
    /// A recording; lossless.
    case json
    /// GPX 1.1, with speed and course in Garmin's TrackPointExtension v2. Altitudes are above mean sea level.
    case gpx
    /// GeoJSON (RFC 7946): one feature per position. The third coordinate is the height above the ellipsoid.
    case geojson
    /// KML 2.2 with `gx:Track`. Altitudes are above mean sea level.
    case kml
    /// A table with column names, commas and decimal points. Altitudes are above mean sea level.
    case csv
    /// NMEA 0183, as gpsd reads it. Altitudes are above mean sea level.
    case nmea

    /// The format of a file by its extension, ignoring case; `.log` and `.txt` are NMEA.
    public init?(path: String) {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
        switch path[path.index(after: dot)...].lowercased() {
        case "log", "txt": self = .nmea
        case let name:
            guard let format = TrackFormat(rawValue: name) else { return nil }
            self = format
        }
    }

    /// The format of an input file; unlike for output, `.json.gz`, a compressed recording, is accepted.
    package init?(source path: String) {
        guard let format = path.hasSuffix(".json.gz") ? TrackFormat.json : TrackFormat(path: path) else { return nil }
        self = format
    }

    /// Opens a file for reading; `-` is stdin.
    ///
    /// - Throws: When it cannot be opened. Errors of its contents are thrown by ``TrackReader/next()``.
    public func reader(path: String) throws(RecordingError) -> any TrackReader {
        if self == .json { return try RecordingTrackReader(path: path) }
        let source: FileSource
        let arrival: Timestamp
        do throws(SystemError) {
            let file = try FileDescriptor(reading: path)
            // Data that arrives now has a known time.
            arrival = file.isRegular ? Timestamp(nanoseconds: try file.status().modified) : .now
            source = file.isRegular ? FileSource(file) : FileSource(file, from: -1)
        } catch {
            throw RecordingError(error, path: path)
        }
        let reader: ScheduledTrackReader =
            switch self {
            case .json, .gpx: GPXReader(source, path: path)
            case .geojson: GeoJSONReader(source, path: path)
            case .kml: KMLReader(source, path: path)
            case .csv: CSVReader(source, path: path)
            case .nmea: NMEATrackReader(source, path: path)
            }
        reader.schedule.arrival = arrival
        return reader
    }

    /// Writes a file of this format.
    public func writer(_ output: TextOutput) -> any TrackWriter {
        switch self {
        case .json: RecordingTrackWriter(output)
        case .gpx: GPXWriter(output)
        case .geojson: GeoJSONWriter(output)
        case .kml: KMLWriter(output)
        case .csv: CSVWriter(output)
        case .nmea: NMEATrackWriter(output)
        }
    }
}
