import TaffrailTestSupport
import TaffrailText
import Testing

@testable import Taffrail
@testable import TaffrailQuery

/// When alerts are raised and over.
@Suite struct AlertTableTests {
    /// A table, and a clock that both times follow.
    private struct Trial {
        var table = AlertTable()
        var seconds: Int64 = 0
        var wallOffset: Int64 = 0

        init(_ rules: AlertRule...) {
            table.use(rules, at: now)
            table.isChanged = false
        }

        var now: AlertTable.Time {
            AlertTable.Time(
                wall: Timestamp(nanoseconds: RecordPool.start + (seconds + wallOffset) * 1_000_000_000),
                monotonic: seconds * 1_000_000_000)
        }

        /// Logs records now.
        mutating func log(_ count: Int = 1, device: String = "", level: Level = .error, event: String? = nil) {
            for _ in 0..<count {
                table.take(
                    StoredRecord(
                        time: Timestamp(nanoseconds: 5), arrival: now.wall, level: level, message: "lost",
                        eventName: event, device: device), at: now)
            }
        }

        mutating func pass(_ seconds: Int64) {
            self.seconds += seconds
            table.tick(now)
        }

        /// What has been reported since the last call, as `raised` or `resolved`, with the device.
        mutating func reports() -> [String] {
            defer { table.pending = [] }
            return table.pending.map { alert in
                let device = alert.attributes.first { $0.key == "taffrail.alert.device" }?.value.description
                return (alert.isRaised ? "raised" : "resolved") + (device.map { " " + $0 } ?? "")
            }
        }
    }

    private static let errors = try? LogSelection(parsing: "level>=error")
    private static func rule(_ threshold: Int, _ window: Duration, isByDevice: Bool = false) -> AlertRule {
        var rule = AlertRule("errors", errors ?? LogSelection(), .threshold(threshold, window: window))
        rule.isByDevice = isByDevice
        return rule
    }
    private static func silence(_ devices: String...) -> AlertRule {
        var rule = AlertRule("silent", errors ?? LogSelection(), .silence(.minutes(10)))
        (rule.isByDevice, rule.devices) = (true, devices)
        return rule
    }

    @Test func `as many records as the threshold within the window raise one alert`() {
        var trial = Trial(Self.rule(10, .minutes(5)))
        trial.log(9)
        trial.log(50, level: .warning)
        #expect(trial.reports() == [])
        trial.log()
        #expect(trial.reports() == ["raised"])
        trial.log(100)
        trial.pass(60)
        #expect(trial.reports() == [])
    }

    @Test func `what was counted while the clock was ahead is forgotten`() {
        var trial = Trial(Self.rule(2, .minutes(5)))
        trial.wallOffset = 300_000_000
        trial.log(2)
        #expect(trial.reports() == ["raised"])
        trial.wallOffset = 0
        trial.pass(60)
        #expect(trial.reports() == ["resolved"])
        trial.log(2)
        #expect(trial.reports() == ["raised"])
    }

    @Test func `a device with a name that is too long is not counted`() {
        var trial = Trial(Self.rule(1, .minutes(5), isByDevice: true))
        trial.log(device: String(repeating: "d", count: 257))
        #expect(trial.reports() == [])
        trial.log(device: String(repeating: "d", count: 256))
        #expect(trial.reports().count == 1)
    }

    @Test func `records outside the window do not count`() {
        var trial = Trial(Self.rule(10, .minutes(5)))
        for _ in 0..<20 {
            trial.log()
            trial.pass(60)
        }
        #expect(trial.reports() == [])
        // Ten in five minutes.
        for _ in 0..<10 {
            trial.log()
            trial.pass(20)
        }
        #expect(trial.reports() == ["raised"])
    }

    @Test func `an alert is over below half of the threshold, and can be raised again then`() {
        var trial = Trial(Self.rule(10, .minutes(5)))
        trial.log(10)
        trial.pass(200)
        trial.log(5)
        #expect(trial.reports() == ["raised"])
        // The ten have left the window; five are half of the threshold.
        trial.pass(120)
        trial.log(4)
        #expect(trial.reports() == [])
        // Four are left.
        trial.pass(190)
        #expect(trial.reports() == ["resolved"])
        trial.log(6)
        #expect(trial.reports() == ["raised"])
    }

    @Test func `a threshold of one is over when no record is left`() {
        var trial = Trial(Self.rule(1, .minutes(5)))
        trial.log()
        trial.pass(280)
        trial.log()
        trial.pass(280)
        #expect(trial.reports() == ["raised"])
        trial.pass(40)
        #expect(trial.reports() == ["resolved"])
    }

    @Test func `the beginning and the end of an alert have one id, and different alerts have different ones`() {
        var trial = Trial(Self.rule(1, .minutes(1)))
        for _ in 0..<2 {
            trial.log()
            trial.pass(120)
        }
        let ids = trial.table.pending.map(\.id)
        #expect(ids.count == 4 && ids[0] == ids[1] && ids[2] == ids[3] && ids[0] != ids[2])
        let messages = trial.table.pending.map(\.message)
        #expect(messages[0] == "errors: 1 record in 1m")
        #expect(messages[1] == "errors: resolved after 2m: 0 records in 1m", "\(messages)")
        #expect(trial.table.pending.map(\.level) == [.warning, .info, .warning, .info])
    }

    @Test func `each device has an alert of its own, and records without a device do not count`() {
        var trial = Trial(Self.rule(2, .minutes(5), isByDevice: true))
        trial.log(1, device: "ferry")
        trial.log(1, device: "tender")
        trial.log(5)
        #expect(trial.reports() == [])
        trial.log(1, device: "tender")
        #expect(trial.reports() == ["raised tender"])
    }

    @Test func `devices whose names differ only in their bytes have alerts of their own, also in the file`() throws {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        var trial = Trial(Self.rule(2, .minutes(5), isByDevice: true))
        for name in names { trial.log(1, device: name) }
        #expect(trial.reports() == [])
        let read = try #require(AlertTable(json: trial.table.json, now: 0))
        #expect(read.entries[0].states.count == 2)
        trial.log(1, device: names[1])
        let reports = trial.reports()
        #expect(reports.map { Array($0.utf8) } == [Array("raised \(names[1])".utf8)])
    }

    @Test func `a device that is silent raises an alert, which its next record ends`() {
        var trial = Trial(Self.silence("expected"))
        trial.log(device: "ferry")
        trial.pass(300)
        trial.log(device: "ferry")
        // What the query does not mean is no sign of life.
        trial.log(device: "expected", level: .info)
        trial.pass(310)
        #expect(trial.reports() == ["raised expected"])
        trial.pass(300)
        #expect(trial.reports() == ["raised ferry"])
        trial.pass(3_000)
        #expect(trial.reports() == [])
        trial.log(device: "ferry")
        #expect(trial.reports() == ["resolved ferry"])
        trial.pass(600)
        #expect(trial.reports() == ["raised ferry"])
    }

    @Test func `a clock that jumps is no silence`() {
        var trial = Trial(Self.silence())
        trial.log(device: "ferry")
        trial.wallOffset = 1 << 30
        trial.pass(1)
        #expect(trial.reports() == [])
    }

    @Test func `a record from the future does not move the window`() {
        var trial = Trial(Self.rule(2, .minutes(5)))
        trial.log()
        trial.table.take(
            StoredRecord(
                time: Timestamp(nanoseconds: 0), arrival: Timestamp(nanoseconds: .max), level: .error, message: ""),
            at: trial.now)
        #expect(trial.reports() == ["raised"])
        trial.pass(60)
        #expect(trial.reports() == [])
        // Nor does one from the past.
        trial.table.take(
            StoredRecord(
                time: Timestamp(nanoseconds: 0), arrival: Timestamp(nanoseconds: .min), level: .error, message: ""),
            at: trial.now)
        #expect(trial.table.entries[0].states[""]?.total(at: .min) == 2)
    }

    @Test func `a record of an alert raises none, and confirms that it was logged`() throws {
        var trial = Trial(Self.rule(1, .minutes(5)))
        trial.log(1, event: Alert.event)
        #expect(trial.table.pending.isEmpty)
        trial.log()
        let alert = try #require(trial.table.pending.first)
        var record = StoredRecord(alert.record, device: "")
        record.level = .critical
        trial.table.take(record, at: trial.now)
        #expect(trial.table.pending.isEmpty)
        #expect(trial.table.entries[0].states[""]?.total(at: .min) == 1)
    }

    @Test func `states are stored in the order of the bytes of their devices`() throws {
        var trial = Trial(Self.rule(1, .minutes(5), isByDevice: true))
        let names = ["caf\u{E9}", "cafe\u{301}"]
        for name in names { trial.log(device: name) }
        trial.table.pending = []
        let json = trial.table.json
        let starts = try names.map { try #require(json.firstRange(of: Array($0.utf8))).lowerBound }
        #expect(starts[1] < starts[0])
    }

    @Test func `a rule has at most a thousand devices, and counts the records of others`() {
        var trial = Trial(Self.rule(1, .minutes(5), isByDevice: true))
        for number in 0..<1_010 { trial.log(device: "made up \(number)") }
        #expect(trial.table.entries[0].states.count == 1_000 && trial.table.entries[0].uncounted == 10)
        #expect(trial.table.pending.count == 1_000)
        // Those that nothing logs are dropped, the oldest first.
        trial.pass(600)
        #expect(trial.table.pending.count == 1_000 && trial.table.dropped == 1_000)
        #expect(trial.table.pending.allSatisfy { !$0.isRaised })
    }

    @Test func `what is stored is read again, and silence starts over`() throws {
        var trial = Trial(Self.rule(3, .minutes(5), isByDevice: true), Self.silence("expected"))
        trial.log(5, device: "ferry \"x\"\n")
        trial.log(1, device: "tender")
        trial.pass(700)
        trial.table.mark(RingID(7), .max)
        trial.table.mark(RingID(8), 9)
        let later = trial.now.monotonic + 1_000_000_000_000
        var read = try #require(AlertTable(json: trial.table.json, now: later))
        #expect(read.pending == trial.table.pending && read.marks == trial.table.marks)
        #expect(read.pending.count > 2)
        #expect(read.position(in: RingID(7)) == .max)
        #expect(read.serial == trial.table.serial)
        let reports = read.pending.count
        // The rules as they are, without what only the configuration has.
        read.use(trial.table.entries.map(\.rule), at: AlertTable.Time(wall: trial.now.wall, monotonic: later))
        for (one, other) in zip(read.entries, trial.table.entries) {
            #expect(one.rule == other.rule && one.states == other.states)
        }
        read.tick(AlertTable.Time(wall: trial.now.wall, monotonic: later))
        #expect(read.pending.count == reports)
        for damaged in ["", "{}", "[]", String(decoding: trial.table.json.dropLast(9), as: UTF8.self)] {
            #expect(AlertTable(json: Array(damaged.utf8), now: 0) == nil)
        }
    }

    @Test func `a rule that means something else starts over, and one that has another level keeps its state`() {
        var trial = Trial(Self.rule(2, .minutes(5)))
        trial.log(2)
        var louder = Self.rule(2, .minutes(5))
        louder.level = .critical
        trial.table.use([louder], at: trial.now)
        #expect(trial.table.entries[0].states[""]?.raised != nil)
        trial.table.use([Self.rule(3, .minutes(5))], at: trial.now)
        #expect(trial.table.entries[0].states[""]?.raised == nil)
    }
}
