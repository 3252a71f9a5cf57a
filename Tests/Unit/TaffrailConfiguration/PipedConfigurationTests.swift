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
        // Opened for both, it has a writer when the other thread opens it.
        let pipe = open(path, O_RDWR | O_CLOEXEC)
        try #require(pipe >= 0)
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
}
#endif
