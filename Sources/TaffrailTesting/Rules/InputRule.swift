internal import Taffrail

/// One rule of the contract of an input: a sentence and a test.
///
///     @Test(arguments: InputRule.all) func `the line input keeps every rule`(rule: InputRule) async throws {
///         try await rule.check(PipeSubject())
///     }
///
/// The input runs in its own task and logs into its own pipeline, as when a pipeline runs it.
public struct InputRule: Rule {
    /// The requirement.
    public let sentence: String
    private let test: @Sendable (InputTrial) async throws -> Void

    private init(_ sentence: String, _ test: @escaping @Sendable (InputTrial) async throws -> Void) {
        self.sentence = sentence
        self.test = test
    }

    /// Checks an input.
    ///
    /// - Parameters:
    ///   - subject: The input with its surroundings.
    ///   - patience: How long it may take until the requirement is met. Default 30 s.
    /// - Throws: ``RuleViolation`` when the input breaks the rule, and whatever the subject throws.
    @discardableResult
    public func check(
        _ subject: some InputSubject, patience: Duration = .seconds(30)
    ) async throws -> RuleOutcome {
        try await RuleCheck.outcome(of: sentence, for: subject) {
            let trial = InputTrial(subject, sentence, patience)
            do { try await test(trial) } catch {
                try? await trial.finish()
                throw error
            }
            try await trial.finish()
        }
    }

    /// All rules.
    public static let all: [InputRule] = [
        InputRule("what the source delivers is logged once and in order") { trial in
            try trial.start()
            for count in [1, 20, 3] { try await trial.give(count) }
            try await trial.expectAll("while the input runs")
        },
        InputRule("an input that is cancelled returns") { trial in
            try trial.start()
            try await trial.give(1)
            try await trial.expectAll("before it is cancelled")
            try await trial.cancel()
        },
        InputRule("an input that is cancelled before it has begun returns") { trial in
            try trial.start(cancelled: true)
            try await trial.cancel()
        },
        InputRule("cancellation is not an error") { trial in
            try trial.start()
            try await trial.give(1)
            try await trial.expectAll("before it is cancelled")
            try await trial.cancel()
            if let error = trial.error, !(error is CancellationError) { throw trial.violation("it threw \(error)") }
        },
        InputRule("an input can be started again after another one for the same source") { trial in
            for _ in 0..<3 {
                try trial.start()
                try await trial.give(3)
                try await trial.expectAll("in a later run")
                try await trial.cancel()
            }
        },
        InputRule("an input whose source becomes unavailable waits for it, and continues when it returns") { trial in
            try trial.start()
            try await trial.give(2)
            try await trial.expectAll("before the source becomes unavailable")
            try await trial.interrupt()
            if try await trial.returnsSoon() { throw trial.violation("it returned, and nothing starts it again") }
            try await trial.restore()
            try await trial.give(3)
            try await trial.expectAll("after the source has returned")
        },
        InputRule("an input whose source is unavailable when it starts waits for it") { trial in
            try await trial.interrupt()
            try trial.start()
            if try await trial.returnsSoon() { throw trial.violation("it returned, and nothing starts it again") }
            try await trial.restore()
            try await trial.give(2)
            try await trial.expectAll("after the source has become available")
        },
        InputRule("an input whose source is unavailable returns when it is cancelled") { trial in
            try await trial.interrupt()
            try trial.start()
            try await trial.cancel()
        },
        InputRule("an input whose source has ended returns") { trial in
            try trial.start()
            try await trial.give(2)
            guard try await trial.subject.end() else { throw NotApplicable(text: "its source has no end") }
            try await trial.waitForEnd("its source has ended")
            try await trial.expectAll("of a source that has ended")
        },
    ]
}
