import Glibc
import Taffrail

/// Logs while the process can open no file, and then when it can again.
struct Descriptors {
    private let pipeline: Pipeline
    private static let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    init(_ options: FileOptions) throws { pipeline = try makePipeline(options) }

    func run() {
        var limit = rlimit()
        getrlimit(Self.kind, &limit)
        let usual = limit.rlim_cur
        limit.rlim_cur = 0
        setrlimit(Self.kind, &limit)
        pipeline.logger.error("no descriptor")
        say("drain \(pipeline.drain()) flush \(pipeline.flush()) again \(pipeline.flush())")
        limit.rlim_cur = usual
        setrlimit(Self.kind, &limit)
        // Until a record gets into a queue, and for much longer than the first pause before another try.
        for _ in 0..<30_000 {
            pipeline.logger.info("again")
            if pipeline.flush() { break }
            usleep(1000)
        }
        pipeline.logger.info("last")
        say("flush \(pipeline.flush()) shutdown \(pipeline.shutdown())")
    }
}
