internal import Taffrail

/// Applies one rule to one input.
final class InputTrial {
    let subject: any InputSubject
    private let sentence: String
    private let patience: Duration
    private let sink = MemorySink(name: "input-rule")
    private let pipeline: Pipeline
    private var task: Task<Void, Never>?
    private let run = Run()
    private var wanted: [String] = []
    private var isInterrupted = false

    private struct State {
        var hasReturned = false
        var error: (any Error)?
    }

    /// State shared by the task and the rule.
    private final class Run: Sendable {
        let state = Locked(State())
    }

    init(_ subject: any InputSubject, _ sentence: String, _ patience: Duration) {
        self.subject = subject
        self.sentence = sentence
        self.patience = patience
        pipeline = Pipeline(
            sinks: [sink], queue: QueueOptions(capacity: 1 << 20, durable: false, handleSignals: false), level: .trace)
    }

    func violation(_ finding: String) -> RuleViolation { RuleViolation(sentence: sentence, finding: finding) }

    /// The error thrown by the last run.
    var error: (any Error)? { run.state.withLock { $0.error } }

    /// Runs an input, as a pipeline does.
    func start(cancelled: Bool = false) throws {
        let (input, pipeline, run) = (try subject.makeInput(), pipeline, run)
        run.state.withLock { $0 = State() }
        task = Task.detached {
            if cancelled { withUnsafeCurrentTask { $0?.cancel() } }
            var failure: (any Error)?
            do { try await input.run(into: pipeline) } catch { failure = error }
            run.state.withLock {
                $0.hasReturned = true
                $0.error = failure
            }
        }
    }

    /// Makes the source provide records.
    func give(_ count: Int) async throws { wanted += try await subject.give(count) }

    func interrupt() async throws {
        guard try await subject.interrupt() else {
            throw NotApplicable(text: "the subject cannot make its source unavailable")
        }
        isInterrupted = true
    }

    func restore() async throws {
        isInterrupted = false
        try await subject.restore()
    }

    /// Requires exactly the records of the source to have been logged.
    func expectAll(_ stage: String) async throws {
        let count = wanted.count
        let hasAll = try await RuleCheck.eventually(within: patience) { messages.count >= count }
        let found = messages
        for (index, (found, wanted)) in zip(found, wanted).enumerated() where found != wanted {
            throw violation(
                "\(stage), record \(index + 1) has the message \(found.debugDescription), not \(wanted.debugDescription)"
            )
        }
        guard hasAll, found.count == count else {
            throw violation("\(stage), \(found.count) records have been logged, not \(count)")
        }
    }

    private var messages: [String] {
        pipeline.drain(timeout: .seconds(10))
        return sink.messages
    }

    /// Cancels the input and waits until it has returned.
    func cancel() async throws {
        task?.cancel()
        try await waitForEnd("it was cancelled")
    }

    func waitForEnd(_ reason: String) async throws {
        guard try await RuleCheck.eventually(within: patience, { run.state.withLock { $0.hasReturned } }) else {
            throw violation("\(reason), and it still runs after \(patience)")
        }
    }

    /// Returns whether the input returns within a fifth of a second, or on a busy machine within its next turns.
    func returnsSoon() async throws -> Bool {
        for _ in 0..<20 where !run.state.withLock({ $0.hasReturned }) {
            // On a busy machine, the input may have to wait for other tasks; this one starts after it.
            await Task.detached {}.value
            try await Task.sleep(for: .milliseconds(10))
        }
        return run.state.withLock { $0.hasReturned }
    }

    /// Ends the run if it has not ended, and restores the source.
    ///
    /// - Throws: The error of the subject if the source cannot be restored; everything else has been ended.
    func finish() async throws {
        task?.cancel()
        var failure: (any Error)?
        do { if isInterrupted { try await restore() } } catch { failure = error }
        // A run that does not return has been reported, and is abandoned.
        _ = try? await RuleCheck.eventually(within: patience) { run.state.withLock { $0.hasReturned } || task == nil }
        pipeline.shutdown(timeout: .seconds(5))
        if let failure { throw failure }
    }
}
