internal import Taffrail

/// The records that were not written when a pipeline ended.
struct UnwrittenRecords {
    private let log: String?

    /// Determines the location of a pipeline's queue, before the pipeline ends.
    init(of pipeline: Pipeline) {
        log = pipeline.ringPath.flatMap { path in
            let directory = Directory.parent(of: path) ?? "."
            return directory.hasSuffix("/.taffrail") ? Directory.parent(of: directory) ?? "/" : directory
        }
    }

    /// Prints it on stderr.
    ///
    /// - Parameter destination: The destination that could not be written; `nil` if it has no name.
    func report(_ destination: String? = nil) {
        let target = destination.map { " to \($0)" } ?? ""
        let fate =
            log.map { "they are still queued, and the next run or \"taffrail recover \($0)\" writes it" }
            ?? "they are lost, because the queue was in memory"
        StandardStream.reportError("some records could not be written\(target); \(fate)")
    }
}
