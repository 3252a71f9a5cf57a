public import Taffrail

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

/// A receiver of gpsd.
public struct GPSDDevice: Sendable, Hashable {
    /// Its path or address, such as `/dev/ttyACM0` or `tcp://127.0.0.1:5001`.
    public var path: String
    /// Whether gpsd has it open; a receiver that was unplugged is not active.
    public var isActive: Bool
    /// The driver, such as `u-blox`, once the receiver has been identified.
    public var driver: String?

    /// Creates a description.
    public init(path: String, isActive: Bool, driver: String? = nil) {
        self.path = path
        self.isActive = isActive
        self.driver = driver
    }
}

/// The satellites in view of a receiver of gpsd.
public struct GPSDSky: Sendable, Hashable {
    /// The receiver.
    public var device: String?
    /// The number of satellites used in the fix.
    public var used: Int?
    /// The horizontal dilution of precision.
    public var hdop: Double?
    /// The vertical dilution of precision.
    public var vdop: Double?
    /// The position (3D) dilution of precision.
    public var pdop: Double?
}

/// A receiver's own estimate of its errors, one standard deviation each, in metres.
public struct GPSDErrors: Sendable, Hashable {
    /// The receiver.
    public var device: String?
    /// The time.
    public var time: Timestamp?
    /// North-south.
    public var latitude: Double?
    /// East-west.
    public var longitude: Double?
    /// Up-down.
    public var altitude: Double?
}
