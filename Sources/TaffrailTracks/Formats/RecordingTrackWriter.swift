internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Writes a recording in one pass; the file is complete only at the end.
final class RecordingTrackWriter: TrackWriter {
    private let output: TextOutput
    private var metadata = RecordingMetadata.forCurrentDevice()
    private var hasMetadata = false
    let losses = TrackLosses()

    init(_ output: TextOutput) { self.output = output }

    func begin(_ metadata: RecordingMetadata?, name: String) throws(RecordingError) {
        if let metadata {
            self.metadata = metadata
            self.metadata.version = RecordingMetadata.currentVersion
            hasMetadata = metadata.recordedAt.nanoseconds != 0
        }
        self.metadata.eventCount = 0
        output.bytes.append("{\"events\":[")
    }

    func append(_ event: RecordedEvent) throws(RecordingError) {
        output.bytes.append(metadata.eventCount == 0 ? "\n" : ",\n")
        if metadata.eventCount == 0 && !hasMetadata { metadata.recordedAt = event.timestamp - event.elapsed }
        RecordingEncoder.append(event, to: &output.bytes)
        metadata.eventCount += 1
        metadata.seconds = max(metadata.seconds, event.relativeTime)
        try output.flushIfLong()
    }

    func finish() throws(RecordingError) {
        output.bytes.append("\n],\"metadata\":")
        metadata.append(to: &output.bytes)
        output.bytes.append("}\n")
        try output.finish()
    }
}
