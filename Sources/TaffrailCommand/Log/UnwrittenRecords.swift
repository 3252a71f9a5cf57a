#if Command
internal import ArgumentParser
internal import Taffrail

/// The records that were not written when a pipeline ended.
struct UnwrittenRecords {
    /// The queue's directory; `nil` if the queue was in memory.
    private let queue: String?
    /// The argument of `taffrail recover`.
    private let log: String?

    /// Determines the location of a pipeline's queue, before the pipeline ends.
    init(of pipeline: Pipeline) {
        queue = pipeline.ringPath.map { Directory.parent(of: $0) ?? "." }
        log = queue.map { $0.hasSuffix("/.taffrail") ? Directory.parent(of: $0) ?? "/" : $0 }
    }

    /// Shuts a pipeline down.
    ///
    /// - Throws: Exit status 74 if records could not be written, which has been reported on stderr.
    static func shutDown(_ pipeline: Pipeline) throws {
        let unwritten = UnwrittenRecords(of: pipeline)
        guard !pipeline.shutdown() else { return }
        unwritten.report()
        throw ExitCode.inputOutput
    }

    /// Prints where they are on stderr.
    ///
    /// - Parameter destination: The destination that could not be written; `nil` if it has no name.
    func report(_ destination: String? = nil) {
        let target = destination.map { " to \($0)" } ?? ""
        var fate = "they are lost, because the queue was in memory"
        if let queue, let log {
            fate = "they are still queued in \(queue); the next run or \"taffrail recover \(log)\" writes them"
        }
        StandardStream.report("some records could not be written\(target): \(fate)")
    }
}
#endif
