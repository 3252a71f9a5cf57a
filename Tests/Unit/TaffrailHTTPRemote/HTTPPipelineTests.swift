#if HTTP
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// The sink in a pipeline with others, and a server that fails in every way.
@Suite(.heavy) struct HTTPPipelineTests {
    private static func options(_ server: FaultServer) -> HTTPRemoteOptions {
        var options = HTTPRemoteOptions(url: server.url)
        options.encoding = .ndjson
        options.delay = .milliseconds(1)
        options.drain = .zero
        options.timeout = .milliseconds(200)
        options.longestRetry = .milliseconds(5)
        options.batchRecords = 100
        return options
    }

    private static func sinks(_ folder: TemporaryDirectory, _ server: FaultServer) throws -> [any Sink] {
        try FileManager.default.createDirectory(atPath: folder.file("store"), withIntermediateDirectories: true)
        return [
            try FileSink(FileOptions(path: folder.file("app.log"), format: .json)), StoreSink(folder.file("store")),
            HTTPRemoteSink(
                options(server), instance: PluginInstance(name: "http", logDirectory: folder.path, program: "ferry")),
        ]
    }

    /// The bodies that were sent with each key.
    private static func bodies(_ server: FaultServer) -> [String: Set<[UInt8]>] {
        Dictionary(server.requests.map { ($0.key, [$0.plainBody]) }, uniquingKeysWith: { $0.union($1) })
    }

    @Test func `while a full spool holds, the queue waits for it, and the other sink continues`() async throws {
        let folder = TemporaryDirectory()
        let away = try FaultServer()
        away.stop()
        var options = Self.options(away)
        options.spool.size = .kibibytes(512)
        options.spool.whenFull = .hold
        let sink = HTTPRemoteSink(
            options, instance: PluginInstance(name: "http", logDirectory: folder.path, program: "ferry"))
        let spool = sink.destinations[0]
        let pipeline = Pipeline(
            sinks: [try FileSink(FileOptions(path: folder.file("app.log"), rotate: RotationOptions(size: nil))), sink],
            queue: QueueOptions(handleSignals: false))
        defer { pipeline.shutdown() }
        let count = 10_000
        for number in 1...count { pipeline.logger.info("line \(number), of which the spool has no room for all") }
        #expect(await eventually { folder.lineCount("app.log") == count })
        let held = try SpoolInspection(spool).summary()
        #expect(held.records < count, "\(held)")
        let server = try FaultServer(port: away.port)
        func numbers() -> [Int] {
            var known: Set<String> = []
            return server.requests.filter { known.insert($0.key).inserted }
                .flatMap { $0.lines.compactMap { $0["seq"] as? Int } }
        }
        #expect(await eventually { numbers().count >= count })
        #expect(numbers() == Array(1...count))
        let entries = try LedgerFile(directory: folder.file(".taffrail")).entries()
        #expect(!entries.contains { if case .drop? = $0 { true } else { false } })
        #expect(folder.lineCount("app.log") == count)
    }

    @Test func `all three sinks get everything, while the server fails in every way and the pipeline is replaced`()
        async throws
    {
        let folder = TemporaryDirectory()
        let server = try FaultServer()
        let generator = Locked(SeededGenerator(seed: 11))
        // What a receiver has that knows the keys of the requests that it has stored, and of those that were too large:
        // one that was given up may be processed after its repetition.
        let known = Locked<(stored: [FaultServer.Request], refused: Set<String>)>(([], []))
        /// Returns whether it is stored.
        @Sendable func store(_ request: FaultServer.Request) -> Bool {
            known.withLock { known in
                if known.refused.contains(request.key) { return false }
                if !known.stored.contains(where: { $0.key == request.key }) { known.stored.append(request) }
                return true
            }
        }
        /// Returns whether it is not stored.
        @Sendable func refuse(_ request: FaultServer.Request) -> Bool {
            known.withLock { known in
                if known.stored.contains(where: { $0.key == request.key }) { return false }
                known.refused.insert(request.key)
                return true
            }
        }
        server.reply { request in
            switch generator.withLock({ Int.random(in: 0..<12, using: &$0) }) {
            case 0: return .answer(503)
            case 1: return .answer(429, headers: ["Retry-After": "0"])
            case 2: return .close
            case 3: return .hang
            case 4:
                // Its answer is lost.
                guard store(request) else { return .answer(413) }
                return .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            case 5: return .raw("nonsense\r\n\r\n")
            // What has been stored is not too large.
            case 6 where request.lines.count > 20 && refuse(request): return .answer(413)
            default: return store(request) ? .answer(200) : .answer(413)
            }
        }
        let count = 500
        for round in 0..<3 {
            let pipeline = Pipeline(sinks: try Self.sinks(folder, server), queue: QueueOptions(handleSignals: false))
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<4 {
                    group.addTask { for number in 0..<count { pipeline.logger.info("\(round) \(thread) \(number)") } }
                }
            }
            #expect(pipeline.shutdown())
        }
        server.reply { store($0) ? .answer(200) : .answer(413) }
        let last = Pipeline(sinks: try Self.sinks(folder, server), queue: QueueOptions(handleSignals: false))
        last.begin()
        let wanted = 3 * 4 * count
        func arrived() -> [String] {
            known.withLock { $0.stored }.flatMap { request in request.lines.compactMap { $0["message"] as? String } }
        }
        #expect(await eventually { Set(arrived()).count == wanted })
        #expect(last.shutdown())
        #expect(arrived().count == wanted)
        // A request that was repeated was the same; only one that was refused as too large was cut.
        #expect(Self.bodies(server).values.allSatisfy { $0.count == 1 })
        var highest: [String: Int] = [:]
        for request in known.withLock({ $0.stored }) {
            let numbers = request.lines.compactMap { $0["seq"] as? Int }
            let run = request.lines.first?["run"] as? String ?? ""
            #expect(numbers == numbers.sorted() && numbers.first == highest[run, default: 0] + 1)
            highest[run] = numbers.last
        }
        #expect(StoreSink.messages(in: folder.file("store")).count == wanted)
        #expect(folder.lineCount("app.log") == wanted)
        let entries = try LedgerFile(directory: folder.file(".taffrail")).entries()
        #expect(!entries.contains { if case .drop? = $0 { true } else { false } })
    }
}
#endif
