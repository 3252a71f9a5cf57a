#if Store
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailGeo
@testable import TaffrailLocationStore
@testable import TaffrailStore

/// Positions of records: each has the record's text as its device.
private enum PositionOfRecord {
    static func make(_ view: borrowing RecordView) -> LogRecord {
        var location = Location(
            latitude: Double(view.sequence % 1_700) / 10 - 85, longitude: Double(view.sequence % 3_600) / 10 - 180,
            timestamp: view.timestamp)
        location.speed = Double(Level.allCases.firstIndex(of: view.level) ?? 0)
        var record = GeoEvent.location(location).record(received: view.timestamp)
        record.attributes.append(LogValueEntry("device.id", .string(escaped(view.message))))
        return record
    }

    /// A text that is never empty and has no NUL, which no name in a database may have.
    private static func escaped(_ text: String) -> String { "=" + text.replacing("\0", with: "\u{E000}") }

    static func original(_ text: String) -> String { String(text.dropFirst()).replacing("\u{E000}", with: "\0") }
}

/// The sink keeps every rule, on a disk that fills up.
@Suite(.mayBlock) struct LocationStoreRules {
    struct Subject: SinkSubject {
        let folder = FillableDirectory("24m")
        var path: String { folder.file("track.sqlite") }

        var keeps: RecordParts { [.message, .level, .timestamp, .identity] }

        func makeSink() throws -> any Sink {
            MappedRecords(LocationStoreSink(LocationStoreOptions(path: path)), PositionOfRecord.make)
        }

        func records() throws -> [LogRecord] {
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            var records: [LogRecord] = []
            try StoreReader(path).forEach(TrackQuery()) { point in
                #expect(point.lastSeen == nil)
                records.append(
                    LogRecord(
                        timestamp: point.timestamp, sequence: point.sequence ?? 0, run: point.run ?? .none,
                        level: Level.allCases[Int(point.speed ?? 0)],
                        message: PositionOfRecord.original(point.device)))
            }
            // A store is in the order of time, and records may have one time.
            return records.sorted { $0.sequence < $1.sequence }
        }

        func interrupt() throws -> Bool { try folder.fill() }

        func restore() throws { try folder.free() }
    }

    @Test(arguments: SinkRule.all) func `the location store keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(Subject())
    }
}
#endif
