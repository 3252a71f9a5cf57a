import CTaffrail
import Glibc
import Synchronization
import Taffrail
import TaffrailTestSupport

/// Threads that fork while others do, and writers that have to work in between.
enum ForkTurns {
    private static let rounds = 20
    /// How many forks of a round have closed the gate of the writers, and how many are about to open it again.
    private static let begun = Atomic<Int>(0)
    private static let ended = Atomic<Int>(0)
    /// Descriptors of the states of a round's writer and second forking thread, once these are about to wait.
    private static let writer = Atomic<CInt>(-1)
    private static let secondForker = Atomic<CInt>(-1)
    /// Whether the writer worked after the first fork and before the second one.
    private static let isInTurn = Atomic<Bool>(false)
    /// Whether threads that fork without a pause have to end.
    private static let isOver = Atomic<Bool>(false)
    nonisolated(unsafe) private static var threads: [OwnThread] = []

    /// In each round a thread forks, a writer waits for that fork, and then another thread forks, which has to wait for
    /// the writer. Exits with 0 if most rounds pass in this order: on a busy machine, a time limit may end a wait.
    static func takeTurns() {
        // Handlers before a fork run in reverse order, those after it in order: registered first, both run while the
        // gate is closed.
        pthread_atfork({ ForkTurns.begin() }, { ForkTurns.end() }, nil)
        taffrail_writer_enter()
        taffrail_writer_leave()
        var count = 0
        for _ in 0..<rounds {
            begun.store(0, ordering: .sequentiallyConsistent)
            ended.store(0, ordering: .sequentiallyConsistent)
            forkOnce()
            for thread in threads { thread.join() }
            threads = []
            close(writer.exchange(-1, ordering: .sequentiallyConsistent))
            close(secondForker.exchange(-1, ordering: .sequentiallyConsistent))
            if isInTurn.load(ordering: .sequentiallyConsistent) { count += 1 }
        }
        say("\(count) of \(rounds) rounds in turn")
        exit(count > rounds / 2 ? 0 : 1)
    }

    /// Logs more than the queue holds while two threads fork without a pause. Exits with 0 if all of it is written.
    static func log(_ options: FileOptions) throws {
        let pipeline = try makePipeline(options)
        let forkers = (0..<2).map { _ in
            OwnThread { while !isOver.load(ordering: .relaxed) { forkOnce() } }
        }
        let padding = String(repeating: "-", count: 1000)
        for n in 1...1000 { pipeline.logger.info("\(n) \(padding)") }
        let isWritten = pipeline.flush(timeout: .seconds(120))
        isOver.store(true, ordering: .relaxed)
        for forker in forkers { forker.join() }
        exit(pipeline.shutdown() && isWritten ? 0 : 1)
    }

    private static func forkOnce() {
        let pid = taffrailForkForTests()
        if pid == 0 { _exit(0) }
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    }

    // MARK: A round

    /// Called by a fork that has closed the gate; the first one of a round keeps it closed until both others wait.
    private static func begin() {
        guard begun.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue == 0 else { return }
        threads.append(
            OwnThread {
                writer.store(openState(), ordering: .sequentiallyConsistent)
                taffrail_writer_enter()
                let forks = (
                    begun.load(ordering: .sequentiallyConsistent), ended.load(ordering: .sequentiallyConsistent)
                )
                isInTurn.store(forks == (1, 1), ordering: .sequentiallyConsistent)
                taffrail_writer_leave()
            })
        _ = waited { isIdle(writer.load(ordering: .sequentiallyConsistent)) }
        threads.append(
            OwnThread {
                secondForker.store(openState(), ordering: .sequentiallyConsistent)
                forkOnce()
            })
        _ = waited {
            begun.load(ordering: .sequentiallyConsistent) > 1
                || isIdle(secondForker.load(ordering: .sequentiallyConsistent))
        }
    }

    private static func end() { ended.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    /// Opens the state of this thread, for another one.
    private static func openState() -> CInt { open("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC) }

    /// Whether the thread of a state sleeps or has ended.
    private static func isIdle(_ state: CInt) -> Bool {
        guard state >= 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(state, &bytes, bytes.count, 0)
        // The letter follows the name, which is in parentheses.
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        return count <= 0 || text.split(separator: ") ").last?.first == "S"
    }
}
