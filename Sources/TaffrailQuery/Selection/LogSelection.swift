/// The selection of records: all conditions must hold. Without conditions, every record is wanted.
///
/// Its text form is the same in URLs, commands and the viewer: `level>=warning logger:net "timeout" status>=500`. The
/// parser is ``init(parsing:)``, and ``description`` prints what it parses to the same value.
public struct LogSelection: Sendable, Hashable {
    /// The conditions, of which all must hold.
    public var conditions: [LogCondition]

    /// Creates a selection.
    public init(_ conditions: [LogCondition] = []) { self.conditions = conditions }
}
