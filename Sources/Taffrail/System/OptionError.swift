/// An invalid option: its name in a configuration file, and the problem with its value.
public struct OptionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The option's name in a configuration, such as `rotate.size`.
    public var option: String
    /// One line for users: the value and the allowed values.
    public var reason: String

    /// Creates an error.
    public init(_ option: String, _ reason: String) {
        self.option = option
        self.reason = reason
    }

    /// For example `rotate.size: must be from 1KiB to 1TiB, not 12B`.
    public var description: String { "\(option): \(reason)" }

    /// Rejects a value out of range.
    static func check<T: Comparable>(_ option: String, _ value: T, in range: ClosedRange<T>) throws(OptionError) {
        guard !range.contains(value) else { return }
        throw OptionError(option, DurationText.outside(range, value))
    }
}
