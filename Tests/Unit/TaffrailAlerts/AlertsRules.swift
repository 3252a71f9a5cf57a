import TaffrailTestSupport
import TaffrailTesting
import TaffrailText
import Testing

@testable import Taffrail
@testable import TaffrailAlerts
@testable import TaffrailQuery

/// The records of which each raised an alert, by run and number: an alert has no space for a message.
private final class KnownRecords: Sendable {
    private let state = Locked<[String: LogRecord]>([:])

    /// The name of a device for a record.
    func device(of record: LogRecord) -> String {
        let device = "\(record.run)-\(record.sequence)"
        state.withLock { $0[device] = record }
        return device
    }

    subscript(device: String) -> LogRecord? { state.withLock { $0[device] } }
}

/// A sink that makes of every record one of a device of its own, and hands it to another.
private final class DevicesOfRecords: Sink {
    private let base: AlertsSink
    private let known: KnownRecords

    init(_ base: AlertsSink, _ known: KnownRecords) { (self.base, self.known) = (base, known) }

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
            let device = known.device(of: LogRecord(view))
            var record = LogRecord(
                timestamp: view.timestamp, level: .error, message: "",
                attributes: [LogValueEntry("device.id", .string(device))])
            record.sequence = view.sequence
            record.run = view.run
            records.append(record, end: view.end)
            count += 1
        }
        guard count > 0 else { return }
        try base.write(
            RecordBatch(
                base: records.base, length: records.length, run: batch.run, count: count, start: batch.start,
                end: batch.end, checkpoint: nil, tables: nil))
    }
}

/// The sink keeps every rule, on a disk that fills up: every record is counted once.
@Suite(.mayBlock) struct AlertsRules {
    struct Subject: SinkSubject {
        let disk = SmallDisk.isPossible ? try? SmallDisk("4m") : nil
        let folder: TemporaryDirectory
        private let known = KnownRecords()
        var path: String { folder.file("alerts.json") }

        init() throws { folder = disk?.directory ?? TemporaryDirectory() }

        func makeSink() throws -> any Sink {
            var rule = AlertRule(
                "all", try LogSelection(parsing: "level>=error"), .threshold(1, window: .days(31)))
            rule.isByDevice = true
            let options = AlertsOptions(rules: [rule], path: path)
            return DevicesOfRecords(AlertsSink(options, instance: PluginInstance(named: "alerts")), known)
        }

        /// The records that have raised alerts, each as often as it was counted.
        func records() throws -> [LogRecord] {
            guard let bytes = try AlertBook.bytes(path) else { return [] }
            let table = try #require(AlertTable(json: bytes, now: 0))
            return table.pending.flatMap { alert -> [LogRecord] in
                let name = alert.attributes.first { $0.key == "taffrail.alert.device" }?.value.description ?? ""
                guard let record = known[name] else { return [] }
                return Array(repeating: record, count: table.entries[0].states[ExactText(name)]?.total(at: .min) ?? 0)
            }
        }

        func interrupt() throws -> Bool {
            guard let disk else { return false }
            try disk.fill()
            return true
        }

        func restore() throws { try disk?.free() }
    }

    @Test(arguments: SinkRule.all) func `the sink of alerts keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(try Subject())
    }
}
