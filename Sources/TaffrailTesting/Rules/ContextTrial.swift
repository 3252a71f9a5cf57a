internal import Taffrail

/// Applies one rule to one context provider.
final class ContextTrial {
    let subject: any ContextSubject
    let provider: any ContextProvider
    private let sentence: String
    private let patience: Duration
    private let sink = MemorySink(name: "context-rule")
    private let pipeline: Pipeline

    init(_ subject: any ContextSubject, _ sentence: String, _ patience: Duration) throws {
        self.subject = subject
        self.sentence = sentence
        self.patience = patience
        provider = try subject.makeProvider()
        pipeline = Pipeline(
            sinks: [sink], queue: QueueOptions(capacity: 1 << 20, durable: false, handleSignals: false), level: .trace)
    }

    func violation(_ finding: String) -> RuleViolation { RuleViolation(sentence: sentence, finding: finding) }

    /// Starts the provider, as a pipeline does.
    func start() { pipeline.add(provider) }

    /// Returns the attributes of a record that is logged now, sorted by name.
    func attributesNow() -> [LogValueEntry] {
        pipeline.logger.info("now")
        pipeline.drain(timeout: .seconds(10))
        return (sink.records.last?.attributes ?? []).sorted { $0.key < $1.key }
    }

    /// Requires records to have these attributes soon: a provider may notice a change on another thread.
    func expect(_ finding: String, _ isRight: ([LogValueEntry]) -> Bool) async throws {
        var found: [LogValueEntry] = []
        let isSo = try await RuleCheck.eventually(within: patience) {
            found = attributesNow()
            return isRight(found)
        }
        if !isSo { throw violation("\(finding), but \(found)") }
    }

    /// Ends the pipeline.
    func finish() { pipeline.shutdown(timeout: .seconds(5)) }
}
