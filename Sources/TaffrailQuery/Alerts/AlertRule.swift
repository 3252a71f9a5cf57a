public import Taffrail

/// A rule that raises an alert: after a number of matching records within a time, or after a time without any.
public struct AlertRule: Sendable, Hashable {
    /// The condition of an alert.
    public enum Condition: Sendable, Hashable {
        /// At least this many records, 1 or more, within a time. The alert ends when the window contains fewer than
        /// half as many.
        case threshold(Int, window: Duration)
        /// No record for this long. The alert ends with the next record.
        case silence(Duration)
    }

    /// The name, which is unique among the rules of a program.
    public var name: String
    /// The records to which the rule applies. Records of alerts are always excluded.
    public var selection: LogSelection
    /// The condition of an alert.
    public var condition: Condition
    /// Whether each device has its own alert; records without a device are then excluded. Default `false`.
    public var isByDevice = false
    /// Devices that are expected to log, even before their first record. Default: none; a device is known from its
    /// first record.
    public var devices: [String] = []
    /// The level of the record that reports an alert. Default `Level.warning`.
    public var level = Level.warning

    /// Creates a rule.
    public init(_ name: String, _ selection: LogSelection, _ condition: Condition) {
        self.name = name
        self.selection = selection
        self.condition = condition
    }

    /// The maximum number of devices of a rule: each has a state in memory and on disk.
    package static let mostDevices = 1_000
    /// The maximum length of the name of a device, in bytes; devices with a longer one are not counted.
    package static let longestName = 256

    /// The number of steps in which a window advances.
    static let steps: Int64 = 30

    /// The length of a step in nanoseconds; 0 for a rule without a window.
    var step: Int64 {
        guard case .threshold(_, let window) = condition else { return 0 }
        return max(1, window.nanoseconds / Self.steps)
    }

    /// Returns whether two rules are equivalent, so that the state of one is valid for the other.
    func hasState(of other: AlertRule) -> Bool {
        name == other.name && selection == other.selection && condition == other.condition
            && isByDevice == other.isByDevice
    }
}
