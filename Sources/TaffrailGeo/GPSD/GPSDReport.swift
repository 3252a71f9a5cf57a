/// A report from gpsd: one line of its JSON protocol.
public enum GPSDReport: Sendable, Hashable {
    /// The greeting: the daemon's release and its protocol version.
    case version(release: String, major: Int, minor: Int)
    /// All receivers.
    case devices([GPSDDevice])
    /// A receiver that appeared, disappeared or changed.
    case device(GPSDDevice)
    /// The client's watch settings.
    case watch
    /// A position, or the lack of one.
    case position(PositionReport)
    /// The satellites in view.
    case sky(GPSDSky)
    /// A receiver's own estimate of its errors; sent in addition to the positions, and not part of them.
    case errors(GPSDErrors)
    /// A reading of motion sensors, of class ATT or IMU.
    case motion(MotionReading)
    /// The daemon did not understand a request, or cannot fulfil it.
    case error(String)
    /// An unknown class.
    case other(String)
}
