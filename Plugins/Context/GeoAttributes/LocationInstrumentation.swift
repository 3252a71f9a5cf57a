/// Settings for the position that is added to records: off unless enabled.
public struct LocationInstrumentation: Sendable {
    var isEnabled = false
    /// How the position is obtained and how long it is used.
    public var options = GeoAttributesOptions()

    /// Turns it on or off.
    public mutating func enabled(_ isEnabled: Bool) { self.isEnabled = isEnabled }
}
