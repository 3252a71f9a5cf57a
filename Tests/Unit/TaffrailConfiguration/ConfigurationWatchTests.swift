#if Configuration
import Glibc
import Taffrail
import TaffrailConfiguration
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// A configuration file on a path that cannot be watched for some time.
@Suite(.mayBlock) struct ConfigurationWatchTests {
    private let directory = TemporaryDirectory()

    private func write(_ level: Level, to name: String) throws {
        let text = "queue: { durable: false, handle_signals: false }\nlevel: \(level.name)\n"
        try directory.write(text + "plugins: { file: { path: \(directory.file("app.log")) } }\n", to: name)
    }

    @Test func `a path that can no longer be watched is reported once, and watched again when that is possible`()
        async throws
    {
        let captured = CapturedDiagnostics()
        let conf = directory.file("conf")
        let file = conf + "/taffrail.yaml"
        try #require(mkdir(conf, 0o700) == 0)
        try write(.info, to: "conf/taffrail.yaml")
        let registry = try PluginRegistry.withFile([])
        let plan = try Plan.read(file: file, registry: registry, environment: [:])
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
        let live = try Pipeline.start(
            plan, file: file, registry: registry, environment: [:], in: pipeline, watches: true)
        // A file takes the place of the directory: root may watch every directory, but this is none.
        try #require(rename(conf, directory.file("away")) == 0)
        try directory.write("in the way", to: "conf")
        let report = "\(file) can no longer be watched; it is reloaded only on demand"
        #expect(await eventually { !captured.lines(with: report).isEmpty })
        try #require(unlink(conf) == 0)
        try write(.error, to: "away/taffrail.yaml")
        try #require(rename(directory.file("away"), conf) == 0)
        #expect(await eventually { pipeline.level == .error })
        #expect(captured.lines(with: report).count == 1)
        await live.stop()
        pipeline.shutdown()
    }
}
#endif
