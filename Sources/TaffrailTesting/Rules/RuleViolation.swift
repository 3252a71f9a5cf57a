/// A violation of a rule of ``SinkRule``, ``ProcessorRule``, ``InputRule`` or ``ContextRule``.
public struct RuleViolation: Error, Sendable, CustomStringConvertible {
    /// The requirement.
    public let sentence: String
    /// The observed behaviour, in one line.
    public let finding: String

    /// The rule's sentence and the observed behaviour.
    public var description: String { "the rule \"\(sentence)\" is broken: \(finding)" }
}
