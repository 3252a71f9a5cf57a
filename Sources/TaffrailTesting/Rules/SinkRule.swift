/// One rule of the contract of a sink, as a sentence and as a test.
///
/// Whoever writes a sink shows with all of them that it keeps the contract:
///
///     @Test(arguments: SinkRule.all) func `a postcard sink keeps every rule`(rule: SinkRule) async throws {
///         try await rule.check(PostcardSubject())
///     }
///
/// A rule calls the sink as the writer does: one call at a time, what was not taken is offered again, and nothing is
/// called after `close`.
public struct SinkRule: Sendable, Hashable, CustomStringConvertible {
    /// What the rule demands.
    public let sentence: String
    let test: @Sendable (SinkTrial) async throws -> Void

    init(_ sentence: String, _ test: @escaping @Sendable (SinkTrial) async throws -> Void) {
        self.sentence = sentence
        self.test = test
    }

    /// All rules.
    public static let all: [SinkRule] = keeping + ending + failing

    /// What came of a check.
    public enum Outcome: Sendable, Hashable {
        /// The sink keeps the rule.
        case kept
        /// The subject cannot show it, for the reason told.
        case notApplicable(String)
    }

    /// Checks one sink on a fresh, empty destination.
    ///
    /// - Throws: ``SinkRuleViolation`` when the sink breaks the rule, and whatever the subject throws.
    @discardableResult
    public func check(_ subject: some SinkSubject) async throws -> Outcome {
        let trial = try SinkTrial(subject, rule: self)
        do {
            try await test(trial)
            try await trial.end()
            return .kept
        } catch let reason as NotApplicable {
            return .notApplicable(reason.text)
        }
    }

    /// The sentence.
    public var description: String { sentence }

    /// Whether both have the same sentence.
    public static func == (lhs: SinkRule, rhs: SinkRule) -> Bool { lhs.sentence == rhs.sentence }

    /// Hashes the sentence.
    public func hash(into hasher: inout Hasher) { hasher.combine(sentence) }
}

/// A sink breaks a rule.
public struct SinkRuleViolation: Error, Sendable, CustomStringConvertible {
    /// The rule.
    public let rule: SinkRule
    /// What was seen instead, in one line.
    public let finding: String

    /// The rule's sentence and what was seen instead.
    public var description: String { "the rule \"\(rule.sentence)\" is broken: \(finding)" }
}

/// Ends a rule that the subject cannot show.
struct NotApplicable: Error {
    let text: String
}
