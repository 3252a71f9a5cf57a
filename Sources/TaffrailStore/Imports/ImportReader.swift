#if Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailTracks

/// Reads positions of other programs.
protocol ImportReader: AnyObject {
    /// Returns the next position; `nil` at the end.
    func next() throws(RecordingError) -> ImportedPoint?

    /// The number of positions that could not be read so far.
    var skipped: Int { get }
}

/// A position, and the other data that the file has about it.
struct ImportedPoint {
    var location: Location
    /// The time of reception; the position's own time, if that is unknown.
    var received: Timestamp
    /// The device that moved.
    var device: String?
    /// The charge, 0 to 1.
    var battery: Double?
    /// The offset of local time from UTC.
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
