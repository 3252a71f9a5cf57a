/// The log file that a sink writes, as the queue knows it: the queue's ring is next to it, and describes its lines for a
/// recovery without the program.
///
/// A ``FileSink`` creates it. A sink that wraps one may return it as its ``Sink/logFile``.
public struct LogFile {
    /// The live file's absolute path.
    let path: String
    /// The name of the format, for recovering the ring without the program.
    let encoder: String
    /// The other properties of the lines.
    let layout: LineLayout
    /// The content of the live file; `nil` when it cannot be read. From any thread.
    let contents: () -> String?
    /// Truncates the live file. From any thread.
    let clear: () throws(SinkError) -> Void

    /// The base name of the live file.
    var name: String { FileName.base(of: path) }
}
