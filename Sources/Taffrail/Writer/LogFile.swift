/// A sink whose destination is a local file: beside it lies the queue's ring.
protocol LogFile: Sink {
    /// The live file's absolute path.
    var path: String { get }
    /// The base name of the live file.
    var destination: String { get }
    /// The name of the encoder, for whoever recovers the ring without the program.
    var encoderName: String { get }
    /// What else tells how the lines look.
    var lineLayout: LineLayout { get }
    /// The live file's text; `nil` when it cannot be read. From any thread.
    func contents() -> String?
    /// Empties the live file. From any thread.
    func clear() throws(SinkError)
}
