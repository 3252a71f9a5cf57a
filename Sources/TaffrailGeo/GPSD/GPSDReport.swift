public import Taffrail

/// What gpsd says: one line of its JSON protocol.
public enum GPSDReport: Sendable, Hashable {
    /// The greeting: the daemon's release and the protocol it speaks.
    case version(release: String, major: Int, minor: Int)
    /// All receivers.
    case devices([GPSDDevice])
    /// One receiver that came, went or changed.
    case device(GPSDDevice)
    /// What the client is watching.
    case watch
    /// A position, or the lack of one.
    case position(PositionReport)
    /// The satellites in view.
    case sky(GPSDSky)
    /// A receiver's own estimate of its errors; published besides the positions, and not part of them.
    case errors(GPSDErrors)
    /// The daemon did not understand, or cannot.
    case error(String)
    /// A class that is not known here.
    case other(String)
}

/// A receiver of gpsd.
public struct GPSDDevice: Sendable, Hashable {
    /// Its path or address, such as `/dev/ttyACM0` or `tcp://127.0.0.1:5001`.
    public var path: String
    /// Whether gpsd has it open; a receiver that was unplugged is not active.
    public var isActive: Bool
    /// The driver, such as `u-blox`, once the receiver has been recognised.
    public var driver: String?

    /// Makes a description.
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
    /// How many satellites are used in the fix.
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
    /// The moment.
    public var time: Timestamp?
    /// North-south.
    public var latitude: Double?
    /// East-west.
    public var longitude: Double?
    /// Up-down.
    public var altitude: Double?
}
