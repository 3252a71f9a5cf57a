internal import Taffrail

/// What a rule of ``ProcessorRule``, ``InputRule`` or ``ContextRule`` found.
public struct RuleViolation: Error, Sendable, CustomStringConvertible {
    /// What the rule demands.
    public let sentence: String
    /// The observed behaviour, in one line.
    public let finding: String

    /// The rule's sentence and the observed behaviour.
    public var description: String { "the rule \"\(sentence)\" is broken: \(finding)" }
}

/// What came of a check.
public enum RuleOutcome: Sendable, Hashable {
    /// The rule is kept.
    case kept
    /// The subject cannot show it, for the reason given, which has also been printed on stderr.
    case notApplicable(String)
}

/// Ends a rule that the subject cannot test.
struct NotApplicable: Error {
    let text: String
}

/// Runs rules of all kinds.
enum RuleCheck {
    /// Runs the test of a rule. That it does not apply is printed: whoever reads the results must not take it for kept.
    static func outcome(of sentence: String, for subject: Any, _ test: () async throws -> Void) async throws
        -> RuleOutcome
    {
        do {
            try await test()
            return .kept
        } catch let reason as NotApplicable {
            var line = "rule \"\(sentence)\" does not apply to \(type(of: subject)): \(reason.text)\n"
            _ = line.withUTF8 { FileDescriptor.writeStandardError(UnsafeRawBufferPointer($0)) }
            return .notApplicable(reason.text)
        }
    }

    /// Waits until something is so, for at most a while.
    static func eventually(within patience: Duration, _ condition: () async throws -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            if try await condition() { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return try await condition()
    }
}
