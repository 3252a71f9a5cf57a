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

    /// Forks with more open files that children must not have than there is space for at first, and reports how many of
    /// them the child has.
    static func forkWithMany(_ path: String) throws {
        final class OpenFile {
            let file: FileDescriptor
            init(_ path: String) throws { file = try FileDescriptor(path, .read, closedInChildren: true) }
            var isOpen: Bool { fcntl(file.number, F_GETFD) >= 0 }
        }
        var files: [OpenFile] = []
        for _ in 0..<600 { files.append(try OpenFile(path)) }
        // Those that are closed make space for others.
        files.removeSubrange(100..<500)
        for _ in 0..<400 { files.append(try OpenFile(path)) }
        let pid = taffrailForkForTests()
        if pid == 0 {
            say("child has \(files.count { $0.isOpen }) of \(files.count)")
            _exit(0)
        }
        var status: CInt = 0
        waitpid(pid, &status, 0)
        say("parent has \(files.count { $0.isOpen })")
    }
}
