internal import Taffrail
internal import TaffrailRecording
internal import TaffrailText

/// Reads a track from a document: the common base of the readers of GPX, KML, GeoJSON and tables.
///
/// A point that cannot be read is skipped, counted and described in the warnings; a file without any readable point is
/// an error.
class TextTrackReader<Input: TrackInput & ~Copyable>: ScheduledTrackReader {
    private final var hasStarted = false
    final var input: Input

    init(_ source: any ByteSource, path: String) {
        input = Input(source)
        super.init(path: path)
    }

    init(_ bytes: some Collection<UInt8>, path: String = "track") {
        input = Input(bytes)
        super.init(path: path)
    }

    /// Reads the part before the points. Implemented by each format.
    func start() throws(ReadError) {}

    /// Reads more of the document and adds points to the schedule. Implemented by each format.
    ///
    /// - Returns: `false` at the end of the document.
    func read() throws(ReadError) -> Bool { false }

    final override func readMore() throws(RecordingError) -> Bool {
        do throws(ReadError) {
            if !hasStarted {
                hasStarted = true
                try start()
            }
            return try read()
        } catch {
            throw RecordingError(error, path: path)
        }
    }

    final func skip(_ problem: ReadError) { schedule.skip(problem, in: path) }
}
