#if HTTP
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// As many records as 20 seconds have at a thousand a second, and ten minutes in `make soak`.
@Suite(.heavy) struct OutageTests {
    private static let count =
        ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 20_000 : 600_000

    @Test func `what is logged while a collector is away, overloaded and stuck arrives when it works again`()
        async throws
    {
        let folder = TemporaryDirectory()
        let away = try FaultServer()
        away.stop()
        var options = HTTPRemoteOptions(url: away.url)
        options.encoding = .ndjson
        options.compression = .none
        options.delay = .milliseconds(1)
        options.drain = .zero
        options.timeout = .milliseconds(500)
        options.longestRetry = .milliseconds(50)
        let sink = HTTPRemoteSink(
            options, instance: PluginInstance(name: "http", logDirectory: folder.path, program: "ferry"))
        let spool = sink.destinations[0]
        let pipeline = Pipeline(
            sinks: [try FileSink(FileOptions(path: folder.file("app.log"), rotate: RotationOptions(size: nil))), sink],
            queue: QueueOptions(handleSignals: false))
        defer { pipeline.shutdown() }
        var next = 0
        /// Logs a quarter of the records.
        func log() {
            for number in next..<next + Self.count / 4 { pipeline.logger.info("line \(number)") }
            next += Self.count / 4
        }
        func problem() -> String { folder.text(".taffrail/http.status") }
        log()
        #expect(await eventually { problem().contains("connection refused") }, "\(problem())")
        let server = try FaultServer(port: away.port)
        let answers = Locked<FaultServer.Reply>(.answer(503))
        server.reply { _ in answers.withLock { $0 } }
        log()
        #expect(await eventually { problem().contains("returned 503") }, "\(problem())")
        answers.withLock { $0 = .hang }
        log()
        let before = server.requests.count
        #expect(await eventually { server.requests.count > before + 1 })
        log()
        // The file has not waited for any of it.
        #expect(pipeline.drain())
        #expect(folder.lines("app.log").count == Self.count)
        answers.withLock { $0 = .answer(200) }
        #expect(
            await eventually {
                (try? SpoolInspection(spool).summary().records) == 0
            }, "\(problem())")
        var known: Set<String> = []
        // Once each, as a server stores them: one that was given up may be read when later ones are there.
        let requests = server.requests.filter { known.insert($0.key).inserted }
        let numbers = requests.flatMap { $0.lines.compactMap { $0["seq"] as? Int } }
        #expect(numbers.count == Self.count && numbers == Array(1...Self.count))
        let entries = try LedgerFile(directory: folder.file(".taffrail")).entries()
        #expect(!entries.contains { if case .drop? = $0 { true } else { false } })
    }
}
#endif
