internal import TaffrailGeo
internal import TaffrailRecording

/// Reads a recording.
final class RecordingTrackReader: TrackReader {
    private var reader: RecordingReader

    init(path: String) throws(RecordingError) { reader = try RecordingReader(path: path) }

    var metadata: RecordingMetadata? { reader.metadata }

    func next() throws(RecordingError) -> RecordedEvent? { try reader.next() }
}
