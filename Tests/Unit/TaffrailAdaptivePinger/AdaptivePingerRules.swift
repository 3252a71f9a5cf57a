#if HTTP
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailAdaptivePinger
@testable import TaffrailDelivery
@testable import TaffrailGeo
@testable import TaffrailText

/// The records that became pings, by run and number: a ping has no space for a message.
private final class KnownRecords: Sendable {
    private let state = Locked<[String: (record: LogRecord, time: Int64)]>([:])

    static func key(_ run: RingID, _ sequence: UInt64) -> String { "\(run)-\(sequence)" }

    /// The time of the fix for a record: later than those before, and the same when it is offered again.
    private func fixTime(of record: LogRecord) -> Timestamp {
        state.withLock { known in
            let key = Self.key(record.run, record.sequence)
            let time = known[key]?.time ?? Int64(known.count)
            known[key] = (record, time)
            return PingerTrial.start + .seconds(time)
        }
    }

    /// A position in place of a record.
    func fix(of view: borrowing RecordView) -> LogRecord {
        var fix = Location(
            latitude: Double(view.sequence % 1_700) / 10 - 85, longitude: 12, timestamp: fixTime(of: LogRecord(view)))
        fix.horizontalAccuracy = 5
        fix.speed = 10
        return GeoEvent.location(fix).record(received: view.timestamp)
    }

    func record(_ run: RingID, _ sequence: UInt64) -> LogRecord? {
        state.withLock { $0[Self.key(run, sequence)]?.record }
    }
}

/// The sink keeps every rule, with a spool on a disk that fills up. Every position is sent.
@Suite(.mayBlock) struct AdaptivePingerRules {
    fileprivate struct Subject: SinkSubject {
        let folder = FillableDirectory("24m")
        let server: FaultServer
        let options: AdaptivePingerOptions
        let instance: PluginInstance
        let known = KnownRecords()

        init() throws {
            server = try FaultServer()
            var options = PingerTrial.options(server)
            options.longestRetry = .milliseconds(10)
            for mode in PingMode.allCases {
                options.policy.settings[mode].interval = .zero
                options.policy.settings[mode].distance = 0
            }
            self.options = options
            instance = PluginInstance(name: "pinger", logDirectory: folder.directory.path, program: "ferry")
        }

        func makeSink() throws -> any Sink {
            MappedRecords(
                AdaptivePingerSink(
                    options, instance: instance, feed: LocationFeed(), home: Home(), battery: { nil }),
                known.fix)
        }

        /// What has arrived, and what still waits in the spool.
        func records() throws -> [LogRecord] {
            var found: [(run: RingID, sequence: UInt64)] = []
            let spool = options.resolvedSpool(of: instance).directory
            var waiting: [(run: RingID, sequence: UInt64)] = []
            // In this order: a ping that arrives meanwhile is seen twice, not never.
            if FileManager.default.fileExists(atPath: spool) {
                try SpoolInspection(spool).forEach { waiting.append(($0.run, $0.sequence)) }
            }
            for request in server.requests {
                // "pinger-RUN-FIRST-LAST"
                let parts = request.key.dropFirst().dropLast().split(separator: "-")
                guard parts.count == 4, let run = RingID(parts[1]), let sequence = UInt64(parts[2]) else { continue }
                found.append((run, sequence))
            }
            // A request whose answer was lost is repeated, and what has just arrived may be seen in the spool as well.
            var seen: Set<String> = []
            return (found + waiting).filter { seen.insert(KnownRecords.key($0.run, $0.sequence)).inserted }
                .compactMap { known.record($0.run, $0.sequence) }
        }

        func interrupt() throws -> Bool { try folder.fill() }

        func restore() throws { try folder.free() }
    }

    @Test(arguments: SinkRule.all) func `the sink keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(try Subject())
    }
}
#endif
