#if Configuration
import Dispatch
import Glibc
import Taffrail
import TaffrailConfiguration
import TaffrailTesting
import TaffrailTestSupport
import Testing

@Suite(.mayBlock) struct PipedConfigurationTests {
    /// Creates a pipe, and opens it for reading and writing: it has a writer, and keeps its bytes until they are read.
    private func makePipe(_ path: String) throws -> (kept: CInt, pipe: CInt) {
        try #require(mkfifo(path, 0o600) == 0)
        let kept = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let pipe = open(path, O_WRONLY | O_CLOEXEC)
        try #require(kept >= 0 && pipe >= 0)
        return (kept, pipe)
    }

    @Test func `a configuration from a pipe is read to its end, however late it is written`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("pipe")
        let (kept, pipe) = try makePipe(path)
        defer { close(kept) }
        let problem = Locked<String?>(nil)
        let ended = DispatchSemaphore(value: 0)
        let reader = OwnThread {
            do {
                _ = try Plan.read(file: path, registry: PluginRegistry([SamplePlugins.self]), environment: [:])
            } catch {
                problem.withLock { $0 = "\(error)" }
            }
            ended.signal()
        }
        // Only a thread that does not wait for bytes ends now.
        _ = ended.wait(timeout: .now() + .milliseconds(200))
        let text = "level: error\nplugins: { plain: }\n"
        #expect(write(pipe, text, text.utf8.count) == text.utf8.count)
        close(pipe)
        reader.join()
        #expect(problem.withLock { $0 } == nil)
    }

    private let text = "queue: { durable: false, handle_signals: false }\nlevel: error\nplugins: { plain: }\n"

    /// Reads a configuration, then changes its file, and puts the configuration into effect.
    private func start(
        _ path: String, in pipeline: Pipeline, watches: Bool = false, change: () throws -> Void
    ) throws -> LiveConfiguration {
        let registry = try PluginRegistry([SamplePlugins.self])
        let plan = try Plan.read(file: path, registry: registry, environment: [:])
        try change()
        return try Pipeline.start(
            plan, file: path, registry: registry, environment: [:], in: pipeline, watches: watches)
    }

    @Test func `a pipe whose writer has ended is neither read again nor watched`() async throws {
        let captured = CapturedDiagnostics()
        let directory = TemporaryDirectory()
        let path = directory.file("pipe")
        let (kept, pipe) = try makePipe(path)
        defer { close(kept) }
        #expect(write(pipe, text, text.utf8.count) == text.utf8.count)
        close(pipe)
        let pipelines = (1...2).map { _ in
            Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
        }
        let live = try start(path, in: pipelines[0], watches: true) {
            let time = timespec(tv_sec: 1, tv_nsec: 0)
            try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
        }
        #expect(throws: ConfigurationError.self) { try live.reload() }
        #expect(pipelines[0].level == .error)
        // A watch of the pipe would find the change before this one finds that of a file.
        try directory.write(text, to: "a.yaml")
        let other = try start(directory.file("a.yaml"), in: pipelines[1], watches: true) {
            try directory.write(text.replacing("error", with: "critical"), to: "a.yaml")
        }
        #expect(await eventually { pipelines[1].level == .critical })
        #expect(captured.lines(with: path) == [])
        for live in [live, other] { await live.stop() }
        for pipeline in pipelines { pipeline.shutdown() }
    }

    @Test func `a reload neither waits for the writer of a pipe nor reads what it contains`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("a.yaml")
        try directory.write(text, to: "a.yaml")
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
        defer { pipeline.shutdown() }
        let live = try start(path, in: pipeline) { try #require(unlink(path) == 0 && mkfifo(path, 0o600) == 0) }
        let pipe = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(pipe >= 0)
        #expect(write(pipe, text, text.utf8.count) == text.utf8.count)
        let problem = Locked<String?>(nil)
        let ended = DispatchSemaphore(value: 0)
        let reader = OwnThread {
            do { try live.reload() } catch { problem.withLock { $0 = "\(error)" } }
            ended.signal()
        }
        let isTimely = ended.wait(timeout: .now() + .seconds(30)) == .success
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(pipe, &bytes, bytes.count)
        // A reload that waits ends with the last writer.
        close(pipe)
        reader.join()
        #expect(isTimely && count == text.utf8.count)
        #expect(problem.withLock { $0 }?.contains("is not a regular file, so it is read only at the start") == true)
    }
}
#endif
