package import Taffrail
internal import TaffrailText

/// Whether the device is moving, by the speed of fixes or, if they have none, by the distances between them.
///
/// A device is moving at ``PingSettings/movingSpeed`` or faster, until the speed was below
/// ``PingSettings/stoppedSpeed`` for ``PingSettings/stoppedAfter``. After ten minutes without a fix, earlier fixes do
/// not count.
package struct MotionEstimate: Sendable, Hashable {
    /// The time without a fix after which the state is forgotten.
    static let gap = Duration.minutes(10)
    /// The shortest time over which a speed is estimated.
    static let shortest = Duration.seconds(10)
    /// The time after which a distance within the uncertainty counts as a standstill.
    static let longest = Duration.seconds(60)

    /// A fix from which distances are measured.
    package struct Anchor: Sendable, Hashable {
        package var coordinate: Coordinate
        package var time: Timestamp
        package var accuracy: Double
    }

    package var isMoving = false
    package var slowSince: Timestamp?
    package var anchor: Anchor?
    package var estimate: Double?

    package init() {}

    /// Takes the next fix, whose time is not before that of the last one.
    ///
    /// - Parameter last: The time of the last fix.
    /// - Returns: The speed that was used; `nil` if unknown.
    mutating func take(_ fix: Location, after last: Timestamp?, _ settings: PingSettings) -> Double? {
        if let last, fix.timestamp - last > Self.gap { self = MotionEstimate() }
        let speed = speed(of: fix)
        guard let speed else { return nil }
        if !isMoving {
            if speed >= settings.movingSpeed { isMoving = true }
        } else if speed >= settings.stoppedSpeed {
            slowSince = nil
        } else {
            let since = slowSince ?? fix.timestamp
            slowSince = since
            if fix.timestamp - since >= settings.stoppedAfter {
                isMoving = false
                slowSince = nil
            }
        }
        return speed
    }

    /// Returns the speed of a fix, else an estimate.
    private mutating func speed(of fix: Location) -> Double? {
        let here = Anchor(
            coordinate: fix.coordinate, time: fix.timestamp, accuracy: max(0, fix.horizontalAccuracy ?? 0))
        if let speed = fix.speed, speed.isFinite, speed >= 0 {
            anchor = here
            estimate = nil
            return speed
        }
        guard let start = anchor else {
            anchor = here
            return nil
        }
        let time = here.time - start.time
        guard time >= Self.shortest else { return estimate }
        let distance = Geodesy.distance(start.coordinate, here.coordinate)
        // A distance within the uncertainty may not be a movement. It is measured from the same fix for a while,
        // because even a slow movement then exceeds the uncertainty.
        let isCertain = distance > max(start.accuracy, here.accuracy)
        estimate = isCertain ? distance / here.time.seconds(since: start.time) : 0
        if isCertain || time >= Self.longest { anchor = here }
        return estimate
    }
}
