internal import Taffrail

/// Runs rules of all kinds.
enum RuleCheck {
    /// Runs the test of a rule. Prints a line if the rule does not apply, so that it is not mistaken for a pass.
    static func outcome(of sentence: String, for subject: Any, _ test: () async throws -> Void) async throws
        -> RuleOutcome
    {
        do {
            try await test()
            return .kept
        } catch let reason as NotApplicable {
            var line = "rule \"\(sentence)\" does not apply to \(type(of: subject)): \(reason.text)\n"
            _ = line.withUTF8 { FileDescriptor.write(all: UnsafeRawBufferPointer($0), to: 2) }
            return .notApplicable(reason.text)
        }
    }

    /// Waits until a condition is met, for a limited time.
    static func eventually(within patience: Duration, _ condition: () async throws -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            if try await condition() { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return try await condition()
    }
}
