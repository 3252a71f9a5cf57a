internal import Taffrail

/// One rule of the contract of a processor: a sentence and a test.
///
///     @Test(arguments: ProcessorRule.all) func `the shouter keeps every rule`(rule: ProcessorRule) async throws {
///         try await rule.check(ShouterSubject())
///     }
///
/// A processor is called as the writer does: `Processor.inspect(_:)` first, and `Processor.process(_:)` if that
/// requests it. It gets records of every kind, and those of ``ProcessorSubject/affected``.
public struct ProcessorRule: Rule {
    /// The requirement.
    public let sentence: String
    private let test: @Sendable (any ProcessorSubject) async throws -> Void

    private init(_ sentence: String, _ test: @escaping @Sendable (any ProcessorSubject) async throws -> Void) {
        self.sentence = sentence
        self.test = test
    }

    /// Checks a processor.
    ///
    /// - Throws: ``RuleViolation`` when the processor breaks the rule, and whatever the subject throws.
    @discardableResult
    public func check(_ subject: some ProcessorSubject) async throws -> RuleOutcome {
        try await RuleCheck.outcome(of: sentence, for: subject) { try await test(subject) }
    }

    /// All rules.
    public static let all: [ProcessorRule] = [
        rule("a record that is processed again gets the same verdict") { subject, violation in
            var processor = try subject.makeProcessor()
            for record in samples(subject) {
                let (first, second) = (answer(of: &processor, to: record), answer(of: &processor, to: record))
                guard first == second else {
                    throw violation("\(name(of: record)): first \(text(first)), then \(text(second))")
                }
            }
        },
        rule("an answer depends on the record alone, not on those before it") { subject, violation in
            let records = samples(subject)
            var inOrder = try subject.makeProcessor()
            var reversed = try subject.makeProcessor()
            let forward = records.map { answer(of: &inOrder, to: $0) }
            let backward = Array(records.reversed().map { answer(of: &reversed, to: $0) }.reversed())
            for (index, record) in records.enumerated() where forward[index] != backward[index] {
                throw violation(
                    "\(name(of: record)): \(text(forward[index])) after others, \(text(backward[index])) before them")
            }
        },
        rule("the next run gives the same answers") { subject, violation in
            var (one, other) = (try subject.makeProcessor(), try subject.makeProcessor())
            for record in samples(subject) {
                let (first, second) = (answer(of: &one, to: record), answer(of: &other, to: record))
                guard first == second else {
                    throw violation("\(name(of: record)): \(text(first)), in the next run \(text(second))")
                }
            }
        },
        rule("a processor does not change a record's time, run or number") { subject, violation in
            var processor = try subject.makeProcessor()
            for record in samples(subject) {
                var changed = record
                guard processor.process(&changed) == .keep else { continue }
                guard changed.timestamp == record.timestamp, changed.run == record.run,
                    changed.sequence == record.sequence
                else { throw violation("\(name(of: record)): they are set, which has no effect") }
            }
        },
        rule("a changed record fits the queue") { subject, violation in
            var processor = try subject.makeProcessor()
            for record in samples(subject) {
                var changed = record
                guard processor.process(&changed) == .keep, changed != record else { continue }
                var buffer = RecordBuffer(run: changed.run)
                buffer.append(changed)
                var read: LogRecord?
                buffer.withBatch { batch in batch.forEach { read = LogRecord($0) } }
                guard read == changed else {
                    throw violation("\(name(of: record)): the sinks do not get the changed record")
                }
            }
        },
        rule("names of redacted attributes are in lower case, and the same each time") { subject, violation in
            let keys = try subject.makeProcessor().redactedKeys
            if let key = keys.first(where: { $0 != $0.lowercased() || $0.isEmpty }) { throw violation("\"\(key)\"") }
            let again = try subject.makeProcessor().redactedKeys
            guard keys == again else { throw violation("first \(keys.sorted()), then \(again.sorted())") }
        },
        rule("a record that the processor matches is changed or dropped") { subject, violation in
            guard !subject.affected.isEmpty else { throw NotApplicable(text: "the subject names no such record") }
            var processor = try subject.makeProcessor()
            for record in subject.affected where answer(of: &processor, to: record) == record {
                throw violation("\(name(of: record)) goes through unchanged")
            }
        },
    ]

    private typealias Violation = @Sendable (String) -> RuleViolation

    private static func rule(
        _ sentence: String, _ test: @escaping @Sendable (any ProcessorSubject, Violation) async throws -> Void
    ) -> ProcessorRule {
        ProcessorRule(sentence) { subject in
            try await test(subject) { RuleViolation(sentence: sentence, finding: $0) }
        }
    }

    /// Returns the record that the sinks get; `nil` if it is dropped.
    private static func answer(of processor: inout any Processor, to record: LogRecord) -> LogRecord? {
        processor.outcome(of: [record]).first
    }

    /// Records of every kind, numbered, and those that the processor affects.
    private static func samples(_ subject: any ProcessorSubject) -> [LogRecord] {
        var records =
            SampleRecords.awkward.map { SampleRecords.record($0) } + Level.allCases.map(SampleRecords.complete)
        records.append(SampleRecords.record(""))
        records.append(SampleRecords.record("every value", SampleRecords.values))
        records.append(SampleRecords.record(String(repeating: "x", count: 1 << 20)))
        records += subject.affected
        return records.enumerated().map { index, record in
            var numbered = record
            numbered.run = RingID(0x0123_4567_89AB_CDEF)
            numbered.sequence = UInt64(index) + 1
            return numbered
        }
    }

    private static func name(of record: LogRecord) -> String { "\(record.message.prefix(40).debugDescription)" }
    private static func text(_ answer: LogRecord?) -> String {
        answer.map { "kept as \($0.message.prefix(40).debugDescription)" } ?? "dropped"
    }
}
