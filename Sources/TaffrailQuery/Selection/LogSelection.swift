/// The selection of records: all conditions must hold. Without conditions, every record matches.
///
/// Its text form is the same in URLs, commands and the viewer: `level>=warning logger:net "timeout" status>=500`.
/// ``init(parsing:)`` parses it, and ``description`` returns a string that parses to the same value.
public struct LogSelection: Sendable, Hashable {
    /// The conditions, all of which must hold.
    public var conditions: [LogCondition]

    /// Creates a selection.
    public init(_ conditions: [LogCondition] = []) { self.conditions = conditions }
}
