internal import Taffrail

/// One rule of the contract of a context provider: a sentence and a test.
///
///     @Test(arguments: ContextRule.all) func `the watch keeps every rule`(rule: ContextRule) async throws {
///         try await rule.check(WatchSubject())
///     }
public struct ContextRule: Rule {
    /// The requirement.
    public let sentence: String
    private let test: @Sendable (ContextTrial) async throws -> Void

    private init(_ sentence: String, _ test: @escaping @Sendable (ContextTrial) async throws -> Void) {
        self.sentence = sentence
        self.test = test
    }

    /// Checks a context provider.
    ///
    /// - Parameters:
    ///   - subject: The context provider with its surroundings.
    ///   - patience: How long it may take until the requirement is met. Default 30 s.
    /// - Throws: ``RuleViolation`` when the provider breaks the rule, and whatever the subject throws.
    @discardableResult
    public func check(
        _ subject: some ContextSubject, patience: Duration = .seconds(30)
    ) async throws -> RuleOutcome {
        try await RuleCheck.outcome(of: sentence, for: subject) {
            let trial = try ContextTrial(subject, sentence, patience)
            defer { trial.finish() }
            try await test(trial)
        }
    }

    /// All rules.
    public static let all: [ContextRule] = [
        ContextRule("a record has the attributes that are true when it is logged") { trial in
            trial.start()
            for _ in 0..<3 {
                let wanted = try await trial.subject.change()
                try await trial.expect("after a change, a record lacks some of \(wanted)") { found in
                    wanted.allSatisfy { found.contains($0) }
                }
            }
        },
        ContextRule("attributes that are no longer true are removed") { trial in
            trial.start()
            for _ in 0..<3 {
                let wanted = try await trial.subject.change()
                try await trial.expect("after a change, a record has attributes other than \(wanted)") { found in
                    found.allSatisfy { wanted.contains($0) }
                }
            }
        },
        ContextRule("nothing is published after the provider has been stopped") { trial in
            trial.start()
            let before = try await trial.subject.change()
            try await trial.expect("after a change, a record lacks \(before)") { $0 == before }
            trial.provider.stop()
            _ = try await trial.subject.change()
            for _ in 0..<10 {
                let found = trial.attributesNow()
                guard found == before || found.isEmpty else { throw trial.violation("a record has \(found)") }
                try await Task.sleep(for: .milliseconds(10))
            }
        },
        ContextRule("the names that it yields to are those of its attributes") { trial in
            guard let prefix = trial.provider.yieldsTo else { throw NotApplicable(text: "it yields to nothing") }
            trial.start()
            let attributes = try await trial.subject.change()
            if let other = attributes.first(where: { !$0.key.hasPrefix(prefix) }) {
                throw trial.violation("\"\(other.key)\" does not begin with \"\(prefix)\"")
            }
        },
    ]
}
