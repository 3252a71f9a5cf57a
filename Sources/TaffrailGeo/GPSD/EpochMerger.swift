internal import Taffrail

/// Makes one report of several about the same moment of the same receiver.
///
/// gpsd reports a moment anew with each sentence that tells of it, until it knows a receiver's order of sentences and,
/// with some receivers, for good. Only the last report has everything; the speed of an earlier one may be gpsd's own
/// guess. On a slow line most of a second lies between them. So a report is held back until one of another moment comes,
/// or until ``window`` is over; and no longer than needed where a receiver has had the same number of reports for each
/// of many moments. What comes for a moment that was given out is dropped. A pure state machine: it has no clock, and is
/// told what time it is.
public struct EpochMerger: Sendable {
    /// What is known of a receiver.
    private struct Receiver {
        var waiting: PositionReport?
        /// How many reports it was made of.
        var count = 0
        /// When it must be given out, in nanoseconds of the monotonic clock.
        var deadline: Int64 = 0
        /// The moment that was given out last.
        var last: Timestamp?
        /// How many reports the last moments had, and how many moments that was so.
        var usual = (count: 0, moments: 0)

        /// Whether no more is to be expected.
        var isComplete: Bool { usual.moments >= EpochMerger.trial && count == usual.count }

        /// Gives out what waits.
        mutating func release() -> PositionReport? {
            guard let report = waiting else { return nil }
            if report.time != nil { usual = count == usual.count ? (count, usual.moments + 1) : (count, 1) }
            waiting = nil
            last = report.time
            return report
        }
    }

    /// How many moments must have had the same number of reports.
    private static let trial = 16
    /// For how long reports without a time wait for each other at most: nothing says that they are of one moment.
    private static let timelessWindow: Int64 = 100_000_000

    /// For how long a report waits for others of its moment, in nanoseconds; 0 lets every report through.
    public let window: Int64
    /// How many reports came after their moment had been given out.
    public private(set) var late = 0
    private var receivers: [String: Receiver] = [:]

    /// Makes a merger; the window's default is 1 s.
    public init(window: Int64 = 1_000_000_000) { self.window = window }

    /// When ``expire(now:)`` has something to give out, in nanoseconds of the monotonic clock; `nil`: nothing waits.
    public var deadline: Int64? { receivers.values.lazy.filter { $0.waiting != nil }.map(\.deadline).min() }

    /// Takes a report.
    ///
    /// - Parameter now: The monotonic clock, in nanoseconds.
    /// - Returns: What is complete now, in order.
    public mutating func take(_ report: PositionReport, now: Int64) -> [PositionReport] {
        guard window > 0 else { return [report] }
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
                // There are more than there used to be.
                receiver.usual.moments = 0
                return given
            }
            var report = report
            if report.location?.extra.uptime == nil { report.location?.extra.uptime = now }
            receiver.waiting = report
            receiver.count = 1
            receiver.deadline = now + (report.time == nil ? min(window, Self.timelessWindow) : window)
        }
        if receiver.isComplete, let whole = receiver.release() { given.append(whole) }
        return given
    }

    /// Gives out what has waited long enough.
    public mutating func expire(now: Int64) -> [PositionReport] { release { $0.deadline <= now } }

    /// Gives out everything: the connection is over.
    public mutating func finish() -> [PositionReport] { release { _ in true } }

    private mutating func release(_ isDue: (Receiver) -> Bool) -> [PositionReport] {
        let due = receivers.filter { $0.value.waiting != nil && isDue($0.value) }.sorted {
            ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key)
        }
        return due.compactMap { receivers[$0.key]?.release() }
    }

    /// Whether a report without a time is of the moment of the one before, which has none either: it holds all that the
    /// other does, and more. A fast receiver's next position is another one, or says no more than the last.
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

    /// The later report, with what only the earlier one says where both have a fix.
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
    /// Takes over what only `other` knows.
    mutating func fill(from other: Location) {
        altitude = altitude ?? other.altitude
        ellipsoidalAltitude = ellipsoidalAltitude ?? other.ellipsoidalAltitude
        horizontalAccuracy = horizontalAccuracy ?? other.horizontalAccuracy
        verticalAccuracy = verticalAccuracy ?? other.verticalAccuracy
        course = course ?? other.course
        courseAccuracy = courseAccuracy ?? other.courseAccuracy
        speed = speed ?? other.speed
        speedAccuracy = speedAccuracy ?? other.speedAccuracy
        floor = floor ?? other.floor
        sourceInformation = sourceInformation ?? other.sourceInformation
        extra.climb = extra.climb ?? other.extra.climb
        extra.climbAccuracy = extra.climbAccuracy ?? other.extra.climbAccuracy
        extra.geoidSeparation = extra.geoidSeparation ?? other.extra.geoidSeparation
        extra.device = extra.device ?? other.extra.device
        extra.satellites = extra.satellites ?? other.extra.satellites
        extra.hdop = extra.hdop ?? other.extra.hdop
        extra.vdop = extra.vdop ?? other.extra.vdop
        extra.pdop = extra.pdop ?? other.extra.pdop
        // The moment of receipt is that of the first report.
        extra.uptime = other.extra.uptime ?? extra.uptime
    }
}
