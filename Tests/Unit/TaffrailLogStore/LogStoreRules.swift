#if Store
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailLogStore
@testable import TaffrailQuery
@testable import TaffrailStore

/// The sink keeps every rule, on a disk that fills up.
@Suite(.mayBlock) struct LogStoreRules {
    struct Subject: SinkSubject {
        let folder = FillableDirectory("32m")
        var path: String { folder.file("logs.sqlite") }

        // Of attributes, bytes and times are kept as strings.
        var keeps: RecordParts { RecordParts.all.subtracting(.attributes) }

        func makeSink() throws -> any Sink { LogStoreSink(LogStoreOptions(path: path, device: "ferry")) }

        func records() throws -> [LogRecord] {
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            let reader = try LogStoreReader(path)
            var request = RecordRequest()
            (request.limit, request.isNewestFirst, request.effort) = (1_000, false, .max)
            var records: [LogRecord] = []
            repeat {
                let page = try reader.records(request)
                request.cursor = page.next
                for record in page.records {
                    #expect(record.device == "ferry" && record.arrival == record.time)
                    records.append(
                        LogRecord(
                            timestamp: record.time, sequence: record.sequence ?? 0, run: RingID(record.run) ?? .none,
                            level: record.level, message: record.message, eventName: record.eventName,
                            logger: record.logger, source: record.source, trace: record.trace))
                }
            } while request.cursor != nil
            // A store is in the order of time, and records may have one time.
            return records.sorted { $0.sequence < $1.sequence }
        }

        func interrupt() throws -> Bool { try folder.fill() }

        func restore() throws { try folder.free() }
    }

    @Test(arguments: SinkRule.all) func `the log store keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(Subject())
    }
}
#endif
