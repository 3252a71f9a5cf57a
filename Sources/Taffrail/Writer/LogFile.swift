/// A sink that writes a local file; the queue's ring is next to it.
protocol LogFile: Sink {
    /// The live file's absolute path.
    var path: String { get }
    /// The base name of the live file.
    var destination: String { get }
    /// The name of the encoder, for recovering the ring without the program.
    var encoderName: String { get }
    /// The other properties of the line format.
    var lineLayout: LineLayout { get }
    /// Closes it; work that the next run can do ends at a time of the monotonic clock.
    func close(until deadline: Int64) throws(SinkError)
    /// The content of the live file; `nil` when it cannot be read. From any thread.
    func contents() -> String?
    /// Truncates the live file. From any thread.
    func clear() throws(SinkError)
}
