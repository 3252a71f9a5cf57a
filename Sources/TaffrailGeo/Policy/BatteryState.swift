/// The state of the machine's battery.
public struct BatteryState: Sendable, Hashable {
    /// The charge, 0 to 1; `nil` if unknown.
    public var level: Double?
    /// Whether it is charging or full, on external power.
    public var isCharging: Bool

    /// Creates a state.
    public init(level: Double?, isCharging: Bool = false) {
        self.level = level
        self.isCharging = isCharging
    }
}
