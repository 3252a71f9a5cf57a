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
        /// Whether the records are read only when the spool is empty, so that all of them have been sent.
        let isSent: Bool

        init(isSent: Bool = false) throws {
            self.isSent = isSent
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
            // In this order: a record that arrives meanwhile is seen twice, not never.
            var waiting = try spooled()
            if isSent {
                let isEmpty = try waited {
                    waiting = try spooled()
                    return waiting.isEmpty
                }
                #expect(isEmpty)
            }
            var records = try server.requests.flatMap { try $0.plainBody.split(separator: 10).map(Self.record) }
            var known = Set(records.map { "\($0.run) \($0.sequence)" })
            // A request whose answer was lost is repeated.
            if known.count < records.count {
                known = []
                records = records.filter { known.insert("\($0.run) \($0.sequence)").inserted }
            }
            return records + waiting.filter { !known.contains("\($0.run) \($0.sequence)") }
        }

        private func spooled() throws -> [LogRecord] {
            var waiting: [LogRecord] = []
            let spool = options.resolvedSpool(of: instance).directory
            if FileManager.default.fileExists(atPath: spool) {
                try SpoolInspection(spool).forEach { waiting.append(LogRecord($0)) }
            }
            return waiting
        }

        /// Not with `JSONSerialization`, which removes U+FEFF from the beginning of a string.
        private static func record(_ line: ArraySlice<UInt8>) throws -> LogRecord {
            var reader = JSONReader(line)
            guard case .map(let fields) = try reader.value() else { throw reader.error("a line is not an object") }
            func text(_ name: String) -> String? {
                if case .string(let text)? = fields.first(where: { $0.key == name })?.value { text } else { nil }
            }
            func number(_ name: String) -> Int64 {
                if case .int(let number)? = fields.first(where: { $0.key == name })?.value { number } else { 0 }
            }
            return LogRecord(
                timestamp: text("time").flatMap { RFC3339.timestamp($0) } ?? Timestamp(nanoseconds: 0),
                sequence: UInt64(number("seq")), run: text("run").flatMap { RingID($0) } ?? .none,
                level: text("level").flatMap { Level(name: $0) } ?? .trace, message: text("message") ?? "",
                eventName: text("event"), logger: text("logger") ?? "")
        }

        func interrupt() throws -> Bool { try folder.fill() }

        func restore() throws { try folder.free() }
    }

    @Test(arguments: SinkRule.all) func `the sink keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(try Subject())
    }

    @Test(arguments: SinkRule.all.filter { $0.sentence.contains("kept") })
    func `what is sent is what was written`(rule: SinkRule) async throws {
        try await rule.check(try Subject(isSent: true))
    }
}
#endif
