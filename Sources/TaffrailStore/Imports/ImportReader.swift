#if Store
internal import TaffrailRecording

/// Reads positions of other programs.
protocol ImportReader: AnyObject {
    /// Returns the next position; `nil` at the end.
    func next() throws(RecordingError) -> ImportedPoint?

    /// The number of positions that could not be read so far.
    var skipped: Int { get }

    /// Messages for users so far: the problems with the first skipped positions, and missing times; with file and line
    /// if known.
    var warnings: [String] { get }
}

extension ImportReader {
    /// No messages.
    var warnings: [String] { [] }
}
#endif
