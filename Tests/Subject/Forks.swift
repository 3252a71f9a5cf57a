import Glibc
import Taffrail

/// Logs, forks children that log too, and continues logging: every process has its own queue.
struct Forks {
    private let pipeline: Pipeline

    init(_ options: FileOptions) throws { pipeline = try makePipeline(options) }

    func run() throws {
        let logger = pipeline.logger
        for n in 0..<500 { logger.info("parent n \(n)") }
        var children: [pid_t] = []
        for child in 0..<3 {
            let pid = taffrailForkForTests()
            if pid == 0 {
                for n in 0..<500 { logger.info("child\(child) n \(n)") }
                exit(0)
            }
            children.append(pid)
        }
        for n in 500..<1000 { logger.info("parent n \(n)") }
        for pid in children {
            var status: CInt = 0
            waitpid(pid, &status, 0)
            if status != 0 { exit(9) }
        }
        pipeline.shutdown()
    }

    /// Forks, and during the fork logs a record and waits until it is written. Exits with 0 if it is.
    static func hold(_ options: FileOptions) throws {
        // Before a pipeline exists: handlers run in the opposite order, so this one when the writer has to wait.
        pthread_atfork(
            {
                heldPipeline?.logger.info("during the fork")
                isWrittenWhileHeld = heldPipeline?.flush() ?? false
            }, nil, nil)
        let pipeline = try makePipeline(options)
        heldPipeline = pipeline
        pipeline.logger.info("before the fork")
        let pid = taffrailForkForTests()
        if pid == 0 { _exit(0) }
        heldPipeline = nil
        var status: CInt = 0
        waitpid(pid, &status, 0)
        pipeline.shutdown()
        exit(isWrittenWhileHeld ? 0 : 1)
    }
}

nonisolated(unsafe) private var heldPipeline: Pipeline?
nonisolated(unsafe) private var isWrittenWhileHeld = false

/// Swift does not import `fork`, with good reason; the tests need it nevertheless.
///
/// The child is killed after two minutes: a lock of Swift's runtime or of another library that another thread held during the
/// fork stays locked in the child.
func taffrailForkForTests() -> pid_t {
    guard let symbol = dlsym(nil, "fork") else { return -1 }
    let pid = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
    if pid == 0 { alarm(120) }
    return pid
}
