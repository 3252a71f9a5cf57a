internal import Taffrail

/// Merges the reports of one receiver about the same time.
///
/// gpsd repeats a report with each sentence about the same epoch, until it has learned a receiver's order of sentences
/// and, with some receivers, always. Only the last report is complete; the speed of an earlier one may be gpsd's own
/// estimate. On a slow line the reports are spread over most of a second. A report is therefore held back until a
/// report of another epoch arrives, or until ``window`` is over, but no longer than needed if a receiver has sent the
/// same number of reports in many epochs. Reports for an epoch that has been returned are dropped. A pure state machine
/// without a clock: the caller passes the time.
public struct EpochMerger: Sendable {
    /// The state of a receiver.
    private struct Receiver {
        var waiting: PositionReport?
        /// The number of merged reports.
        var count = 0
        /// The time at which the merged report must be returned, in nanoseconds of the monotonic clock.
        var deadline: Int64 = 0
        /// The time of the report returned last.
        var last: Timestamp?
        /// The number of reports in each of the last epochs, and how many epochs in a row had this number.
        var usual = (count: 0, epochs: 0)

        /// Whether no more reports are expected.
        var isComplete: Bool { usual.epochs >= EpochMerger.trial && count == usual.count }

        /// Returns the pending report.
        mutating func release() -> PositionReport? {
            guard let report = waiting else { return nil }
            if report.time != nil { usual = count == usual.count ? (count, usual.epochs + 1) : (count, 1) }
            waiting = nil
            last = report.time
            return report
        }
    }

    /// The number of epochs that must have had the same number of reports.
    private static let trial = 16
    /// How long to hold back reports without a time: they cannot be assigned to an epoch.
    private static let timelessWindow = Duration.milliseconds(100)

    /// How long to hold back a report for others of its epoch; 0 returns every report at once.
    public let window: Duration
    /// The number of reports that arrived after their epoch had been returned.
    public private(set) var late = 0
    private var receivers: [String: Receiver] = [:]

    /// Creates a merger; the window's default is 1 s.
    public init(window: Duration = .seconds(1)) { self.window = window }

    /// When ``expire(now:)`` next returns something, in nanoseconds of the monotonic clock; `nil`: nothing is pending.
    public var deadline: Int64? { receivers.values.lazy.filter { $0.waiting != nil }.map(\.deadline).min() }

    /// Adds a report.
    ///
    /// - Parameters:
    ///   - report: The receiver's report.
    ///   - now: The monotonic clock, in nanoseconds.
    /// - Returns: The complete reports, in order.
    public mutating func take(_ report: PositionReport, now: Int64) -> [PositionReport] {
        guard window > .zero else { return [report] }
        let device = report.device ?? ""
        var receiver = receivers[device] ?? Receiver()
        defer { receivers[device] = receiver }
        var given: [PositionReport] = []
        if let waiting = receiver.waiting, waiting.time == report.time,
            report.time != nil || now < receiver.deadline && Self.completes(report, waiting)
        {
            receiver.waiting = Self.merged(waiting, report)
            receiver.count += 1
        } else {
            if let before = receiver.release() { given.append(before) }
            if let time = report.time, receiver.last == time {
                late += 1
                // The epoch has more reports than earlier ones.
                receiver.usual.epochs = 0
                return given
            }
            var report = report
            if report.location?.extra.uptime == nil { report.location?.extra.uptime = now }
            receiver.waiting = report
            receiver.count = 1
            receiver.deadline = now + (report.time == nil ? min(window, Self.timelessWindow) : window).nanoseconds
        }
        if receiver.isComplete, let whole = receiver.release() { given.append(whole) }
        return given
    }

    /// Returns the reports that have waited long enough.
    public mutating func expire(now: Int64) -> [PositionReport] { release { $0.deadline <= now } }

    /// Returns all reports, at the end of the connection.
    public mutating func finish() -> [PositionReport] { release { _ in true } }

    private mutating func release(_ isDue: (Receiver) -> Bool) -> [PositionReport] {
        let due = receivers.filter { $0.value.waiting != nil && isDue($0.value) }.sorted {
            ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key)
        }
        return due.compactMap { receivers[$0.key]?.release() }
    }

    /// Returns whether a report without a time belongs to the same epoch as the previous one, which has no time either:
    /// it contains all values of the previous one, and more. The next position of a fast receiver has different values,
    /// or no additional ones.
    private static func completes(_ later: PositionReport, _ earlier: PositionReport) -> Bool {
        guard let before = earlier.location else { return later.location == nil }
        guard var after = later.location else { return false }
        guard before.coordinate == after.coordinate else { return false }
        after.timestamp = before.timestamp
        after.extra.uptime = before.extra.uptime
        var filled = before
        filled.fill(from: after)
        return filled == after && filled != before
    }

    /// Returns the later report, completed with values of the earlier one if both have a fix.
    static func merged(_ earlier: PositionReport, _ later: PositionReport) -> PositionReport {
        guard let before = earlier.location, var location = later.location else { return later }
        location.fill(from: before)
        var result = later
        result.location = location
        if earlier.mode == .threeD { result.mode = .threeD }
        return result
    }
}

extension Location {
    /// Adds values that only `other` has.
    mutating func fill(from other: Location) {
        func bit(_ field: LocationField) -> UInt32 { 1 << UInt32(field.rawValue) }
        var kept = bit(.hasNoTime) | bit(.uptime)
        forEachField { field, _ in kept |= bit(field) }
        other.forEachField { field, value in if kept & bit(field) == 0 { set(field, value) } }
        // The time of receipt is that of the first report.
        extra.uptime = other.extra.uptime ?? extra.uptime
    }
}
