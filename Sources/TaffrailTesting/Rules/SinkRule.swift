/// One rule of the contract of a sink: a sentence and a test.
///
/// The author of a sink runs all rules to show that the sink fulfils the contract:
///
///     @Test(arguments: SinkRule.all) func `a postcard sink keeps every rule`(rule: SinkRule) async throws {
///         try await rule.check(PostcardSubject())
///     }
///
/// A rule calls the sink as the writer does: one call at a time, records that were not taken are offered again, and no
/// call follows `close`.
public struct SinkRule: Rule {
    /// The requirement.
    public let sentence: String
    let test: @Sendable (SinkTrial) async throws -> Void

    init(_ sentence: String, _ test: @escaping @Sendable (SinkTrial) async throws -> Void) {
        self.sentence = sentence
        self.test = test
    }

    /// All rules.
    public static let all: [SinkRule] = keeping + ending + failing

    /// The result of a check.
    public typealias Outcome = RuleOutcome

    /// Checks one sink on a fresh, empty destination.
    ///
    /// - Throws: ``RuleViolation`` when the sink violates the rule, and errors of the subject.
    @discardableResult
    public func check(_ subject: some SinkSubject) async throws -> Outcome {
        let trial = try SinkTrial(subject, sentence)
        return try await RuleCheck.outcome(of: sentence, for: subject) {
            do { try await test(trial) } catch {
                try? await trial.end()
                throw error
            }
            try await trial.end()
        }
    }
}
