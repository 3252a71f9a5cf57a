#if HTTP && Configuration
import Foundation
import TaffrailConfiguration
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// A configuration that is reloaded while a request is under way.
@Suite(.mayBlock) struct HTTPReloadTests {
    enum Change: CaseIterable { case delay, url, encoding, refused, removed }

    /// A record as it arrived.
    private struct Arrived: Hashable {
        var run: String
        var sequence: Int
        var message: String
    }

    private static func text(
        _ folder: TemporaryDirectory, _ url: String, _ options: String = "delay: 0s, encoding: ndjson",
        file: String = "app.log", hasHTTP: Bool = true
    ) -> String {
        """
        queue: { handle_signals: false }
        plugins:
        \(hasHTTP ? "  http: { url: \"\(url)\", drain: 0s, timeout: 10m, longest_retry: 1s, batch: { records: 50 }, spool: { directory: \(folder.file(".taffrail/http.spool")) }, \(options) }" : "")
          file: { path: \(folder.file(file)) }
        """
    }

    /// The records of a request, of lines of JSON or of OTLP.
    private static func records(_ request: FaultServer.Request) -> [Arrived] {
        guard request.headers["content-type"] == "application/json" else {
            return request.lines.compactMap { line in
                guard let run = line["run"] as? String, let sequence = line["seq"] as? Int,
                    let message = line["message"] as? String
                else { return nil }
                return Arrived(run: run, sequence: sequence, message: message)
            }
        }
        let body = (try? JSONSerialization.jsonObject(with: Data(request.plainBody))) as? [String: Any]
        func list(_ object: [String: Any]?, _ key: String) -> [[String: Any]] { object?[key] as? [[String: Any]] ?? [] }
        let records = list(body, "resourceLogs").flatMap { list($0, "scopeLogs") }.flatMap { list($0, "logRecords") }
        return records.compactMap { record in
            var values: [String: String] = [:]
            for attribute in list(record, "attributes") {
                guard let key = attribute["key"] as? String, let value = attribute["value"] as? [String: Any] else {
                    continue
                }
                values[key] = value["stringValue"] as? String ?? value["intValue"] as? String
            }
            guard let run = values["taffrail.run"], let sequence = values["taffrail.seq"].flatMap(Int.init),
                let message = (record["body"] as? [String: Any])?["stringValue"] as? String
            else { return nil }
            return Arrived(run: run, sequence: sequence, message: message)
        }
    }

    @Test(arguments: Change.allCases)
    func `a reload during a request loses nothing, and repeats only that request`(change: Change) async throws {
        let folder = TemporaryDirectory()
        let (first, second) = (try FaultServer(), try FaultServer())
        let held = HeldAnswers()
        first.reply { _ in
            held.wait()
            return .answer(200)
        }
        let file = folder.file("taffrail.yaml")
        let old = Self.text(folder, first.url)
        try folder.write(old, to: "taffrail.yaml")
        let registry = try PluginRegistry.withFile([HTTPRemotePlugin.self])
        let plan = try Plan.read(file: file, registry: registry, environment: [:])
        let pipeline = Pipeline(sinks: [], queue: plan.queue)
        let live = try Pipeline.start(
            plan, file: file, registry: registry, environment: [:], in: pipeline, watches: false)
        defer { pipeline.shutdown() }
        for number in 1...200 { pipeline.logger.info("line \(number)") }
        #expect(await eventually { first.requests.count == 1 })

        let new =
            switch change {
            case .delay: Self.text(folder, first.url, "delay: 1ms, encoding: ndjson")
            case .url: Self.text(folder, second.url)
            case .encoding: Self.text(folder, first.url, "delay: 0s, encoding: otlp-json")
            // The sink is closed before the file turns out to be impossible, and is opened again.
            case .refused: Self.text(folder, first.url, "delay: 1ms, encoding: ndjson", file: "app.log/x/b.log")
            case .removed: Self.text(folder, first.url, hasHTTP: false)
            }
        try folder.write(new, to: "taffrail.yaml")
        // Records come all the time.
        let writer = OwnThread { for number in 201...500 { pipeline.logger.info("line \(number)") } }
        if change == .refused {
            #expect(throws: ConfigurationError.self) { try live.reload() }
        } else {
            try live.reload()
        }
        writer.join()
        #expect(pipeline.drain())
        if change == .removed {
            // What waits is sent when the sink is there again.
            try folder.write(old, to: "taffrail.yaml")
            try live.reload()
        }
        for number in 501...600 { pipeline.logger.info("line \(number)") }
        held.release()
        // What came without the sink is not its own.
        let isWanted: (Int) -> Bool = { change != .removed || !(201...500).contains($0) }
        let wanted = Set((1...600).filter(isWanted).map { "line \($0)" })
        func requests() -> [FaultServer.Request] { first.requests + second.requests }
        func messages() -> Set<String> { Set(requests().flatMap(Self.records).map(\.message)) }
        #expect(await eventually { messages().isSuperset(of: wanted) }, "\(wanted.subtracting(messages()).sorted())")
        #expect(
            await eventually {
                (try? SpoolInspection(folder.file(".taffrail/http.spool")).summary().records) == 0
            })
        let keys = Dictionary(grouping: requests(), by: \.key)
        let flying = first.requests[0].key
        #expect(keys.filter { $0.value.count > 1 }.map(\.key) == [flying] && keys[flying]?.count == 2)
        #expect(keys.values.allSatisfy { Set($0.map { Self.records($0) }).count == 1 })
        if change == .url { #expect(first.requests.count == 1) }
        // Once each, where a key is stored once.
        let stored = keys.values.flatMap { Self.records($0[0]) }
        #expect(stored.count == Set(stored).count)
        if change != .removed { #expect(stored.count == 600) }
        let entries = try LedgerFile(directory: folder.file(".taffrail")).entries()
        #expect(!entries.contains { if case .drop? = $0 { true } else { false } })
    }
}
#endif
