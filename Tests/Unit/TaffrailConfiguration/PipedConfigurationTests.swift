#if Configuration
import Dispatch
import Glibc
import Taffrail
import TaffrailConfiguration
import TaffrailTestSupport
import Testing

@Suite(.mayBlock) struct PipedConfigurationTests {
    @Test func `a configuration from a pipe is read to its end, however late it is written`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        // It has a writer when the other thread opens it, and keeps its bytes if that happens late.
        let kept = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let pipe = open(path, O_WRONLY | O_CLOEXEC)
        try #require(kept >= 0 && pipe >= 0)
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

    @Test func `a reload does not wait for the writer of a pipe`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("a.yaml")
        try directory.write("queue: { durable: false, handle_signals: false }\nplugins: { plain: }\n", to: "a.yaml")
        let registry = try PluginRegistry([SamplePlugins.self])
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
        defer { pipeline.shutdown() }
        let live = try Pipeline.start(
            Plan.read(file: path, registry: registry, environment: [:]), file: path, registry: registry,
            environment: [:], in: pipeline, watches: false)
        try #require(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
        let pipe = open(path, O_RDWR | O_CLOEXEC)
        try #require(pipe >= 0)
        defer { close(pipe) }
        #expect(throws: ConfigurationError.self) { try live.reload() }
    }
}
#endif
