public import TaffrailGeo
public import TaffrailRecording

/// Writes a track event by event. One thread at a time.
public protocol TrackWriter: AnyObject {
    /// The values lost because the format cannot hold them.
    var losses: TrackLosses { get }

    /// Writes the part before the first event.
    ///
    /// - Parameters:
    ///   - metadata: The known metadata of the track.
    ///   - name: The track's name.
    func begin(_ metadata: RecordingMetadata?, name: String) throws(RecordingError)

    /// Writes an event.
    func append(_ event: RecordedEvent) throws(RecordingError)

    /// Writes the part after the last event, and completes the file. No method may be called afterwards.
    func finish() throws(RecordingError)
}
