/// The result of a check.
public enum RuleOutcome: Sendable, Hashable {
    /// The rule is followed.
    case kept
    /// The subject cannot be tested for the rule; the reason has also been printed on stderr.
    case notApplicable(String)
}
