import Taffrail
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// The rules for processors: a sound one keeps all of them, and each flaw is reported by the rule that it breaks.
@Suite(.mayBlock) struct ProcessorRuleTests {
    /// What can be wrong with a processor, one for each rule.
    enum Flaw: String, CaseIterable {
        case countsWhatComes = "a record that is processed again gets the same verdict"
        case remembersTheFirst = "an answer depends on the record alone, not on those before it"
        case differsFromRunToRun = "the next run gives the same answers"
        case setsTheTime = "a processor does not change a record's time, run or number"
        case namesTwice = "a changed record fits the queue"
        case namesInCapitals = "names of redacted attributes are in lower case, and the same each time"
        case doesNothing = "a record that the processor matches is changed or dropped"
    }

    /// Replaces each "secret".
    struct Redactor: Processor {
        let flaw: Flaw?
        let run: Int
        private var calls = 0
        private var first: String?

        init(_ flaw: Flaw?, run: Int) {
            self.flaw = flaw
            self.run = run
        }

        var redactedKeys: Set<String> { flaw == .namesInCapitals ? ["Password"] : ["password"] }

        mutating func process(_ record: inout LogRecord) -> Verdict {
            calls += 1
            if first == nil { first = record.message }
            switch flaw {
            case .countsWhatComes: if calls.isMultiple(of: 7) { return .drop }
            case .remembersTheFirst: if record.message != first { record.message += " later" }
            case .differsFromRunToRun: record.message += " in run \(run)"
            case .setsTheTime: record.timestamp = Timestamp(nanoseconds: 0)
            case .namesTwice: record.attributes += [LogValueEntry("twice", 1), LogValueEntry("twice", 2)]
            case .doesNothing: return .keep
            case .namesInCapitals, nil: break
            }
            record.message = record.message.replacing("secret", with: "***")
            return .keep
        }
    }

    final class RedactorSubject: ProcessorSubject {
        let flaw: Flaw?
        private var runs = 0
        init(_ flaw: Flaw?) { self.flaw = flaw }

        func makeProcessor() throws -> any Processor {
            runs += 1
            return Redactor(flaw, run: runs)
        }

        var affected: [LogRecord] { [LogRecord(level: .info, message: "my secret")] }
    }

    @Test(arguments: ProcessorRule.all) func `a sound processor keeps every rule`(rule: ProcessorRule) async throws {
        #expect(try await rule.check(RedactorSubject(nil)) == .kept)
    }

    @Test(arguments: Flaw.allCases) func `a processor that breaks a rule is reported by that rule`(flaw: Flaw)
        async throws
    {
        let rule = try #require(ProcessorRule.all.first { $0.sentence == flaw.rawValue })
        let violation = await #expect(throws: RuleViolation.self) { try await rule.check(RedactorSubject(flaw)) }
        #expect(violation?.sentence == flaw.rawValue && violation?.finding.contains("\n") == false)
    }

    @Test func `each rule has a flaw that it finds`() {
        #expect(ProcessorRule.all.map(\.sentence).sorted() == Flaw.allCases.map(\.rawValue).sorted())
    }

    @Test func `a rule that a subject cannot show does not count as followed`() async throws {
        struct Plain: ProcessorSubject {
            func makeProcessor() throws -> any Processor { Redactor(nil, run: 1) }
        }
        let rule = try #require(ProcessorRule.all.last)
        #expect(try await rule.check(Plain()) == .notApplicable("the subject names no such record"))
    }
}
