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

/// A sink in a folder of its own, and a receiver.
final class PingerTrial {
    /// The battery of the machine, and its clocks: the time of the last fix, or what a test sets.
    final class Machine: Sendable {
        let battery = Locked<BatteryState?>(nil)
        let time = Locked(PingerTrial.start)
        let monotonic = Locked<Int64>(1)

        var clock: UploadClock {
            UploadClock(
                wall: { self.time.withLock { $0.nanoseconds } }, monotonic: { self.monotonic.withLock { $0 } })
        }

        func advance(_ seconds: Double) {
            time.withLock { $0 = $0 + .seconds(seconds) }
            monotonic.withLock { $0 += Int64(seconds * 1e9) }
        }
    }

    let folder = TemporaryDirectory()
    let server: FaultServer
    let home = Home()
    let feed = LocationFeed()
    let machine = Machine()
    private(set) var options: AdaptivePingerOptions
    private(set) var sink: AdaptivePingerSink
    private var next: UInt64 = 1
    static let run = RingID(0xABCD)
    static let start = Timestamp(nanoseconds: 1_767_610_800_000_000_000)

    init(_ change: (inout AdaptivePingerOptions) -> Void = { _ in }) throws {
        let server = try FaultServer()
        self.server = server
        options = Self.options(server)
        change(&options)
        sink = Self.sink(options, folder, feed, home, machine)
        attach()
    }

    deinit { try? sink.close() }

    static func options(_ server: FaultServer) -> AdaptivePingerOptions {
        var options = AdaptivePingerOptions()
        options.endpoint = "http://127.0.0.1:\(server.port)/ping"
        options.deviceID = "boat"
        options.policy.settings.night = nil
        options.drain = .zero
        options.longestRetry = .milliseconds(20)
        return options
    }

    private static func sink(
        _ options: AdaptivePingerOptions, _ folder: TemporaryDirectory, _ feed: LocationFeed, _ home: Home,
        _ machine: Machine
    ) -> AdaptivePingerSink {
        AdaptivePingerSink(
            options, instance: PluginInstance(name: "pinger", logDirectory: folder.path, program: "ferry"), feed: feed,
            home: home, battery: { machine.battery.withLock { $0 } }, clock: machine.clock)
    }

    private func attach() {
        guard let state = sink.stateDirectory else { return }
        sink.attach(SinkBook(sink: "pinger", ledgers: [LedgerFile(directory: state)], statusDirectory: state))
        // As a thread of the input does.
        sink.pinger.battery.refresh()
    }

    /// Closes the sink and creates another one, as the next run does.
    func restart(_ change: (inout AdaptivePingerOptions) -> Void = { _ in }) throws {
        try sink.close()
        change(&options)
        sink = Self.sink(options, folder, feed, home, machine)
        attach()
    }

    var spool: String { sink.destinations[0] }

    /// A fix some seconds after the start and metres north of home.
    static func fix(_ seconds: Double, north: Double = 0, speed: Double? = 0, accuracy: Double? = 5) -> Location {
        var fix = Location(
            coordinate: Geodesy.destination(from: DayOfLegs.home, bearing: 0, distance: north),
            timestamp: start + .seconds(seconds))
        fix.speed = speed
        fix.horizontalAccuracy = accuracy
        return fix
    }

    /// Writes a batch of records with the next numbers.
    ///
    /// - Returns: The position after it.
    @discardableResult
    func write(_ records: [LogRecord], numbered first: UInt64? = nil) throws -> UInt64 {
        let start = first ?? next
        var buffer = RecordBuffer(run: Self.run, start: start << 16)
        for (index, record) in records.enumerated() {
            var record = record
            record.sequence = start + UInt64(index)
            record.run = Self.run
            buffer.append(record)
        }
        next = max(next, start + UInt64(records.count))
        return try buffer.withBatch { batch throws(SinkError) in
            try sink.write(batch)
            return batch.end
        }
    }

    /// Writes fixes as one batch, received at their own times.
    @discardableResult
    func take(_ fixes: Location...) throws -> UInt64 {
        if let last = fixes.last { machine.time.withLock { $0 = last.timestamp } }
        return try write(fixes.map { GeoEvent.location($0).record(received: $0.timestamp) })
    }

    /// The bodies that were accepted, in order, as JSON objects.
    var pings: [[String: Any]] {
        server.requests.compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.plainBody))) as? [String: Any]
        }
    }

    var times: [String] { pings.compactMap { $0["timestamp"] as? String } }

    /// The times of what waits in the spool, as of pings.
    func waiting() throws -> [Timestamp] {
        var times: [Timestamp] = []
        try SpoolInspection(spool).forEach { view in
            if let ping = Ping(LogRecord(view)) { times.append(ping.location.timestamp) }
        }
        return times
    }

    func ask(_ name: String, _ arguments: LogValueEntry...) throws -> ControlCommand.Answer {
        try sink.pinger.execute(ControlCommand(name, arguments))
    }
}
#endif
