#if Store
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailTracks

/// Reads a track.
final class TrackImport: ImportReader {
    private let reader: any TrackReader

    init(_ reader: any TrackReader) { self.reader = reader }

    var skipped: Int { reader.warnings.skippedPoints }
    var warnings: [String] { reader.warnings.messages }

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
