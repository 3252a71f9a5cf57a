#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailGeo

/// Sends a copy of the newest position while earlier records are still queued, on a separate thread.
///
/// The copy has the attribute `taffrail.live` and the number of the original, which is sent and counted as usual. It is
/// retried until a newer position arrives. It is not spooled, and can be lost.
final class LiveLane: Sendable {
    private struct Position {
        var batch: SpoolBatch
        var time: Timestamp
        /// The end of the spool after the position had been appended.
        var end: SpoolPosition
    }

    private let spool: Spool
    private let destination: HTTPDestination
    private let interval: Duration
    private let retries: UploadOptions
    private let rate: Int?
    private let traffic: SideTraffic
    private let newest = Locked<Position?>(nil)
    private let thread = DeliveryThread(named: "taffrail-live")

    /// - Parameters:
    ///   - interval: The time after which a position is sent ahead of the spool.
    ///   - longestRetry: The maximum delay before a retry, but at least twice the interval, unless the destination
    ///     requests more.
    ///   - rate: The maximum number of bytes per second; `nil`: no limit.
    ///   - traffic: Receives the number of bytes sent.
    init(
        _ spool: Spool, to destination: HTTPDestination, interval: Duration, longestRetry: Duration, rate: Int?,
        traffic: SideTraffic
    ) {
        self.rate = rate
        self.traffic = traffic
        self.spool = spool
        self.destination = destination
        self.interval = max(.nanoseconds(1), interval)
        retries = UploadOptions(
            firstRetry: self.interval, longestRetry: max(self.interval, longestRetry - self.interval))
    }

    /// Takes the newest position of a batch that was appended to the spool.
    func offer(_ batch: borrowing RecordBatch) {
        var found: LogRecord?
        batch.forEach { view in
            guard view.hasEvent(among: Self.events), found.map({ $0.timestamp <= view.timestamp }) ?? true
            else { return }
            found = LogRecord(view)
        }
        guard let record = found, let copy = Self.copy(record, of: batch.run) else { return }
        let position = Position(batch: copy, time: record.timestamp, end: spool.view.end)
        let isNewest = newest.withLock { newest in
            guard newest.map({ $0.time <= position.time }) ?? true else { return false }
            newest = position
            return true
        }
        // If the system cannot start a thread, the next position retries that.
        if isNewest, thread.start({ self.run() }) { thread.wake() }
    }

    /// The event of positions.
    private static let events = [GeoAttributes.locationEvent]

    private static func copy(_ record: LogRecord, of run: RingID) -> SpoolBatch? {
        var copy = record
        copy.attributes.removeAll { $0.key == RecordAttributes.liveMark }
        copy.attributes.append(LogValueEntry(RecordAttributes.liveMark, true))
        var buffer = RecordBuffer(run: run)
        buffer.append(copy)
        guard !buffer.bytes.isEmpty else { return nil }
        var batch = SpoolBatch()
        batch.run = run
        batch.bytes = buffer.bytes
        batch.count = 1
        batch.first = record.sequence
        batch.last = record.sequence
        return batch
    }

    /// Ends the thread.
    func stop() { thread.stop { destination.interrupt() } }

    private func run() {
        var failures: UInt32 = 0
        var pause = interval
        // The end of the spool at the last check; copies are needed until it has been delivered.
        var watched: SpoolPosition?
        var sent: Timestamp?
        while true {
            thread.pause(for: pause)
            pause = interval
            guard thread.phase == .working else { return }
            guard let newest = self.newest.withLock({ $0 }) else { continue }
            let isLate = watched.map { spool.view.cursor.position < $0 } ?? false
            if !isLate || watched == nil { watched = newest.end }
            guard isLate else {
                if spool.view.cursor.position >= newest.end { waitForAnother(than: newest.time) }
                continue
            }
            guard sent != newest.time else { continue }
            if Self.isPaused(spool.view.cursor) { continue }
            let attempt = destination.send(newest.batch, key: newest.batch.id + "-live")
            traffic.add(attempt.bytes)
            switch attempt.verdict {
            case .accepted:
                sent = newest.time
                failures = 0
            // A newer position may be accepted.
            case .refused, .tooLarge: sent = newest.time
            case .later(let requested): pause = max(delay(after: &failures), requested.map(Self.wait) ?? .zero)
            case .denied: pause = delay(after: &failures)
            case .interrupted: break
            }
            if let rate, rate > 0 { pause = max(pause, UploadPace.wait(after: attempt.bytes, rate: rate)) }
        }
    }

    /// Counts a failure, and returns the delay before the next attempt: that between two positions, and a random one.
    func delay(after failures: inout UInt32) -> Duration {
        failures = failures == .max ? .max : failures + 1
        var generator = SystemRandomNumberGenerator()
        return interval + retries.delay(after: failures, using: &generator)
    }

    /// Returns whether the destination has requested a pause from the uploader.
    static func isPaused(_ cursor: SpoolCursor) -> Bool { cursor.isRequested && wait(until: cursor.notBefore) > .zero }

    private static func wait(until time: Int64) -> Duration {
        UploadPace.wait(until: time, now: SystemClock.wallNanoseconds())
    }

    private func waitForAnother(than time: Timestamp) {
        while true {
            let seen = thread.wakeUps
            guard thread.phase == .working, newest.withLock({ $0?.time == time }) else { return }
            thread.sleep(while: seen, for: nil)
        }
    }
}
#endif
