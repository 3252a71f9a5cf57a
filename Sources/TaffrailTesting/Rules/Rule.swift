/// A rule of a contract, which is identified by its sentence.
protocol Rule: Sendable, Hashable, CustomStringConvertible {
    /// The requirement.
    var sentence: String { get }
}

extension Rule {
    /// The sentence.
    public var description: String { sentence }

    /// Returns whether both rules have the same sentence.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.sentence == rhs.sentence }

    /// Hashes the sentence.
    public func hash(into hasher: inout Hasher) { hasher.combine(sentence) }
}
