public import Taffrail

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
