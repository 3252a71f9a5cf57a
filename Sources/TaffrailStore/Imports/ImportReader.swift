#if Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailTracks

/// Reads positions of other programs.
protocol ImportReader: AnyObject {
    /// The next position; `nil` at the end.
    func next() throws(RecordingError) -> ImportedPoint?

    /// How many positions could not be read so far.
    var skipped: Int { get }
}

/// A position, and what else the file has about it.
struct ImportedPoint {
    var location: Location
    /// When it was received; the position's own time, where that is not known.
    var received: Timestamp
    /// What moved.
    var device: String?
    /// The charge, 0 to 1.
    var battery: Double?
    /// How far local time was ahead of UTC.
    var localOffset: Duration?
}

/// Reads a track.
final class TrackImport: ImportReader {
    private let reader: any TrackReader

    init(_ reader: any TrackReader) { self.reader = reader }

    var skipped: Int { reader.warnings.skippedPoints }

    func next() throws(RecordingError) -> ImportedPoint? {
        while let event = try reader.next() {
            if let location = event.event.location {
                return ImportedPoint(location: location, received: event.timestamp)
            }
        }
        return nil
    }
}
#endif
