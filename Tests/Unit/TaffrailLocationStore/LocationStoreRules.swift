#if Store
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailGeo
@testable import TaffrailLocationStore
@testable import TaffrailStore

/// A sink that makes a position of every record, with the record's text as its device, and hands it to another.
final class PositionsOfRecords: Sink {
    private let base: LocationStoreSink

    init(_ base: LocationStoreSink) { self.base = base }

    var name: String { base.name }
    var destinations: [String] { base.destinations }
    var stateDirectory: String? { base.stateDirectory }
    func openDestination() throws(SinkError) { try base.openDestination() }
    func attach(_ book: SinkBook) { base.attach(book) }
    func flush() throws(SinkError) { try base.flush() }
    func close() throws(SinkError) { try base.close() }
    func reopen() throws(SinkError) { try base.reopen() }
    func position(in ring: RingID) -> UInt64? { base.position(in: ring) }

    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        let records = CopiedRecords()
        var count = 0
        batch.forEach { view in
            var location = Location(
                latitude: Double(view.sequence % 1_700) / 10 - 85, longitude: Double(view.sequence % 3_600) / 10 - 180,
                timestamp: view.timestamp)
            location.speed = Double(Level.allCases.firstIndex(of: view.level) ?? 0)
            var record = GeoEvent.location(location).record(received: view.timestamp)
            record.attributes.append(LogValueEntry("device.id", .string(Self.escaped(view.message))))
            record.sequence = view.sequence
            record.run = view.run
            records.append(record, end: view.end)
            count += 1
        }
        guard count > 0 else { return }
        let copy = RecordBatch(
            base: records.base, length: records.length, run: batch.run, count: count, start: batch.start,
            end: batch.end,
            checkpoint: nil, tables: nil)
        try base.write(copy)
    }

    /// A text that is never empty and has no NUL, which no name in a database may have.
    static func escaped(_ text: String) -> String { "=" + text.replacing("\0", with: "\u{E000}") }

    static func original(_ text: String) -> String { String(text.dropFirst()).replacing("\u{E000}", with: "\0") }
}

/// The sink keeps every rule, on a disk that fills up.
@Suite(.mayBlock) struct LocationStoreRules {
    struct Subject: SinkSubject {
        let disk = SmallDisk.isPossible ? try? SmallDisk("24m") : nil
        let folder: TemporaryDirectory
        var path: String { folder.file("track.sqlite") }

        init() throws { folder = disk?.directory ?? TemporaryDirectory() }

        var keeps: RecordParts { [.message, .level, .timestamp, .identity] }

        func makeSink() throws -> any Sink { PositionsOfRecords(LocationStoreSink(LocationStoreOptions(path: path))) }

        func records() throws -> [LogRecord] {
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            var records: [LogRecord] = []
            try StoreReader(path).forEach(TrackQuery()) { point in
                #expect(point.lastSeen == nil)
                records.append(
                    LogRecord(
                        timestamp: point.timestamp, sequence: point.sequence ?? 0, run: point.run ?? .none,
                        level: Level.allCases[Int(point.speed ?? 0)],
                        message: PositionsOfRecords.original(point.device)))
            }
            // A store is in the order of time, and records may have one time.
            return records.sorted { $0.sequence < $1.sequence }
        }

        func interrupt() throws -> Bool {
            guard let disk else { return false }
            try disk.fill()
            return true
        }

        func restore() { disk?.free() }
    }

    @Test(arguments: SinkRule.all) func `the location store keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(try Subject())
    }
}
#endif
