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
