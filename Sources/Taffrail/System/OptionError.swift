/// Why options are refused: the option by its name in a configuration file, and what is wrong with its value.
public struct OptionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The option's name in a configuration, such as `rotate.size`.
    public var option: String
    /// One line for a person: what the value is and what it may be.
    public var reason: String

    /// Makes an error.
    public init(_ option: String, _ reason: String) {
        self.option = option
        self.reason = reason
    }

    /// Such as `rotate.size: must be from 1KiB to 1TiB, is 12B`.
    public var description: String { "\(option): \(reason)" }

    /// Refuses a value out of range.
    static func check<T: Comparable>(
        _ option: String, _ value: T, in range: ClosedRange<T>
    ) throws(OptionError) {
        guard !range.contains(value) else { return }
        throw OptionError(option, DurationText.outside(range, value))
    }
}
