#if Store
import Glibc
import Taffrail
import TaffrailLogStore

/// Logs into a file and a store of records, and forks a child that logs into both: the store is the parent's, and the child's
/// queue keeps the records for it.
struct StoreFork {
    private let pipeline: Pipeline

    /// - Parameter options: The file's; the store is `logs.sqlite` beside it.
    init(_ options: FileOptions) throws {
        let directory = options.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        pipeline = Pipeline(
            sinks: [try FileSink(options), LogStoreSink(LogStoreOptions(path: directory + "/logs.sqlite"))],
            queue: QueueOptions(), level: .trace)
    }

    func run() throws {
        let logger = pipeline.logger
        for n in 0..<200 { logger.info("parent n=\(n)") }
        pipeline.flush()
        let pid = taffrailForkForTests()
        if pid == 0 {
            for n in 0..<200 { logger.info("child n=\(n)") }
            exit(0)
        }
        for n in 200..<400 { logger.info("parent n=\(n)") }
        var status: CInt = 0
        waitpid(pid, &status, 0)
        pipeline.shutdown()
        exit(status == 0 ? 0 : 9)
    }
}
#endif
