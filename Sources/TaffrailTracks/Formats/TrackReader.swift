public import TaffrailGeo
public import TaffrailRecording

/// Reads a track event by event. One thread at a time.
public protocol TrackReader: AnyObject {
    /// The metadata of the file, as far as it has been read.
    var metadata: RecordingMetadata? { get }

    /// Returns the next event; `nil` at the end, which is reached only if the whole file could be read.
    ///
    /// - Throws: Errors with line and offset. It must not be called again.
    func next() throws(RecordingError) -> RecordedEvent?

    /// The points skipped so far because they could not be read.
    var warnings: TrackWarnings { get }
}

extension TrackReader {
    /// Nothing was skipped.
    public var warnings: TrackWarnings { TrackWarnings() }
}
