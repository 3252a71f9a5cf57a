#if HTTP
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import TaffrailText
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// The sink keeps every rule, with a spool on a disk that fills up.
@Suite(.mayBlock) struct HTTPRemoteRules {
    struct Subject: SinkSubject {
        let folder = FillableDirectory("24m")
        let server: FaultServer
        let options: HTTPRemoteOptions
        let instance: PluginInstance

        init() throws {
            server = try FaultServer()
            var options = HTTPRemoteOptions(url: server.url)
            options.encoding = .ndjson
            options.delay = .zero
            options.longestRetry = .milliseconds(10)
            self.options = options
            instance = PluginInstance(name: "http", logDirectory: folder.directory.path, program: "ferry")
        }

        var keeps: RecordParts { [.message, .level, .timestamp, .logger, .eventName, .identity] }

        func makeSink() throws -> any Sink { HTTPRemoteSink(options, instance: instance) }

        /// What has arrived, and what still waits in the spool.
        func records() throws -> [LogRecord] {
            var waiting: [LogRecord] = []
            let spool = options.spool(of: instance).directory
            // In this order: a record that arrives meanwhile is seen twice, not never.
            if FileManager.default.fileExists(atPath: spool) {
                try SpoolInspection(spool).forEach { waiting.append(LogRecord($0)) }
            }
            var records = server.requests.flatMap(\.lines).map(Self.record)
            var known = Set(records.map { "\($0.run) \($0.sequence)" })
            // A request whose answer was lost is repeated.
            if known.count < records.count {
                known = []
                records = records.filter { known.insert("\($0.run) \($0.sequence)").inserted }
            }
            return records + waiting.filter { !known.contains("\($0.run) \($0.sequence)") }
        }

        private static func record(_ line: [String: Any]) -> LogRecord {
            LogRecord(
                timestamp: (line["time"] as? String).flatMap { RFC3339.timestamp($0) } ?? Timestamp(nanoseconds: 0),
                sequence: UInt64(line["seq"] as? Int ?? 0),
                run: (line["run"] as? String).flatMap { RingID($0) } ?? .none,
                level: (line["level"] as? String).flatMap { Level(name: $0) } ?? .trace,
                message: line["message"] as? String ?? "", eventName: line["event"] as? String,
                logger: line["logger"] as? String ?? "")
        }

        func interrupt() throws -> Bool { try folder.fill() }

        func restore() { folder.free() }
    }

    @Test(arguments: SinkRule.all) func `the sink keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(try Subject())
    }
}
#endif
