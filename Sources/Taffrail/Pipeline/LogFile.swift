/// A sink whose destination is a local file: beside it lies the queue's ring.
protocol LogFile: Sink {
    /// Where rings and the state of the log are kept.
    var stateDirectory: String { get }
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

/// A sink that is no log file, but has a directory where the queue's ring may lie when there is none.
package protocol QueueHome: Sink {
    /// The directory, made when it is missing.
    var queueDirectory: String { get }
}
