internal import Taffrail

/// Makes one report of several about the same moment of the same receiver.
///
/// gpsd reports an epoch anew with each sentence until it knows a receiver's order of sentences. A report is held
/// back until one of another moment comes, or until ``window`` is over; what comes for that moment later is dropped.
/// A pure state machine: it has no clock, and is told what time it is.
public struct EpochMerger: Sendable {
    private struct Pending {
        var report: PositionReport
        /// When it must be given out, in nanoseconds of the monotonic clock.
        var deadline: Int64
    }

    /// For how long a report waits for others of its moment, in nanoseconds; 0 lets every report through.
    public let window: Int64
    /// How many reports came after their moment had been given out.
    public private(set) var late = 0
    private var pending: [String: Pending] = [:]
    private var last: [String: Timestamp] = [:]

    /// Makes a merger; the window's default is 100 ms.
    public init(window: Int64 = 100_000_000) { self.window = window }

    /// When ``expire(now:)`` has something to give out, in nanoseconds of the monotonic clock; `nil`: nothing waits.
    public var deadline: Int64? { pending.values.map(\.deadline).min() }

    /// Takes a report.
    ///
    /// - Parameter now: The monotonic clock, in nanoseconds.
    /// - Returns: What is complete now, in order.
    public mutating func take(_ report: PositionReport, now: Int64) -> [PositionReport] {
        let device = report.device ?? ""
        guard window > 0 else { return [report] }
        if var waiting = pending[device] {
            if waiting.report.time == report.time && now < waiting.deadline {
                waiting.report = Self.merged(waiting.report, report)
                pending[device] = waiting
                return []
            }
            pending[device] = nil
            last[device] = waiting.report.time
            return [waiting.report] + take(report, now: now)
        }
        if let time = report.time, last[device] == time {
            late += 1
            return []
        }
        var report = report
        if report.location?.extra.uptime == nil { report.location?.extra.uptime = now }
        pending[device] = Pending(report: report, deadline: now + window)
        return []
    }

    /// Gives out what has waited long enough.
    public mutating func expire(now: Int64) -> [PositionReport] { release { $0.deadline <= now } }

    /// Gives out everything: the connection is over.
    public mutating func finish() -> [PositionReport] { release { _ in true } }

    private mutating func release(_ isDue: (Pending) -> Bool) -> [PositionReport] {
        let due = pending.filter { isDue($0.value) }.sorted {
            ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key)
        }
        for (device, waiting) in due {
            pending[device] = nil
            last[device] = waiting.report.time
        }
        return due.map(\.value.report)
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
