import Glibc
import Synchronization
import Taffrail

/// Four threads log as fast as they can and count, in a page that outlives them, how many of their calls returned. The
/// program then waits to be killed.
struct Flood {
    static let threads = 4
    /// Every how many bytes of the page a thread has its counter.
    static let counterStride = 64

    private let pipeline: Pipeline
    private let page: UnsafeMutableRawPointer
    private let round: String
    /// Whether each thread has a logger with a name of its own.
    private let namesThreads: Bool
    /// How many records a thread logs.
    private let limit: UInt64

    init(_ options: FileOptions, page path: String, round: String, limit: UInt64 = .max) {
        guard let sink = try? FileSink(options) else {
            say("cannot start")
            exit(70)
        }
        self.init([sink], page: path, round: round, limit: limit)
    }

    init(
        _ sinks: sending [any Sink], page path: String, round: String, namesThreads: Bool = false, limit: UInt64 = .max
    ) {
        let fd = open(path, O_RDWR)
        guard fd >= 0, let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), page != MAP_FAILED else {
            say("cannot start")
            exit(70)
        }
        self.page = page
        self.round = round
        self.namesThreads = namesThreads
        self.limit = limit
        // Where nothing may be dropped: on a busy machine the writer may pause for longer than calls usually wait.
        let blockLimit: Duration = getenv("FLOOD_WAITS") == nil ? .seconds(5) : .seconds(3600)
        pipeline = Pipeline(
            sinks: sinks, queue: QueueOptions(capacity: 256 << 10, blockLimit: blockLimit, handleSignals: false))
    }

    func run() {
        for thread in 0..<Self.threads {
            let logger = namesThreads ? pipeline.logger("t\(thread)") : pipeline.logger
            let work = FloodThread(
                logger: logger, counter: page + thread * Self.counterStride, thread: thread, round: round,
                limit: limit)
            var id = pthread_t()
            pthread_create(
                &id, nil,
                { argument in
                    if let argument { Unmanaged<FloodThread>.fromOpaque(argument).takeRetainedValue().run() }
                    return nil
                }, Unmanaged.passRetained(work).toOpaque())
        }
        say("ready")
        while true { pause() }
    }
}

/// One of the threads.
final class FloodThread {
    private let logger: Logger
    private let counter: UnsafeMutableRawPointer
    private let thread: Int
    private let round: String
    private let limit: UInt64

    init(logger: Logger, counter: UnsafeMutableRawPointer, thread: Int, round: String, limit: UInt64) {
        self.logger = logger
        self.counter = counter
        self.thread = thread
        self.round = round
        self.limit = limit
    }

    func run() {
        let acknowledged = counter.assumingMemoryBound(to: Atomic<UInt64>.self)
        var n: UInt64 = 0
        while n < limit {
            n += 1
            let check = (n &* 2_654_435_761) ^ UInt64(thread)
            logger.info("r=\(round) t=\(thread) n=\(n) check=\(check)")
            acknowledged.pointee.store(n, ordering: .releasing)
        }
    }
}
