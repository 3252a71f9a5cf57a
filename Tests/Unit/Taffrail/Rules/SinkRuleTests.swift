import Taffrail
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// The rules themselves: a sound sink keeps all of them, and each flaw is reported by the rule that it breaks.
@Suite(.mayBlock) struct SinkRuleTests {
    @Test(arguments: SinkRule.all) func `a sound sink keeps every rule`(rule: SinkRule) async throws {
        #expect(try await rule.check(FlawedSubject(flaw: nil)) == .kept)
    }

    @Test(arguments: Flaw.allCases) func `a sink that breaks a rule is reported by that rule`(flaw: Flaw) async throws {
        let rule = try #require(SinkRule.all.first { $0.sentence == flaw.rawValue })
        await #expect {
            try await rule.check(FlawedSubject(flaw: flaw))
        } throws: { error in
            (error as? RuleViolation)?.sentence == rule.sentence
        }
    }

    @Test(arguments: Flaw.allCases)
    func `a rule that is broken restores the destination and closes the sink`(flaw: Flaw) async throws {
        let rule = try #require(SinkRule.all.first { $0.sentence == flaw.rawValue })
        let subject = FlawedSubject(flaw: flaw)
        await #expect(throws: RuleViolation.self) { try await rule.check(subject) }
        #expect(!subject.destination.isAway && subject.destination.closings == subject.destination.sinksMade)
    }

    @Test(arguments: [Flaw.saysThatNothingWasTaken, .givesNoReason])
    func `a rule that does not apply restores the destination and closes the sink`(flaw: Flaw) async throws {
        let rule = try #require(SinkRule.all.first { $0.sentence == flaw.rawValue })
        let subject = FlawedSubject(flaw: .swallowsWhatFails)
        #expect(
            try await rule.check(subject)
                == .notApplicable("the sink accepts records while its destination is unavailable"))
        #expect(!subject.destination.isAway && subject.destination.closings == 1)
    }

    @Test func `the sink is closed even if its destination cannot be restored`() async throws {
        struct Failure: Error {}
        struct Stuck: SinkSubject {
            let base = FlawedSubject(flaw: .swallowsWhatFails)
            func makeSink() throws -> any Sink { try base.makeSink() }
            func records() throws -> [LogRecord] { try base.records() }
            func interrupt() throws -> Bool { try base.interrupt() }
            func restore() throws { throw Failure() }
        }
        let rule = try #require(SinkRule.all.first { $0.sentence == Flaw.saysThatNothingWasTaken.rawValue })
        let subject = Stuck()
        #expect(
            try await rule.check(subject)
                == .notApplicable("the sink accepts records while its destination is unavailable"))
        #expect(subject.base.destination.closings == 1)
    }

    @Test func `what survives power loss is read only after a sink has written`() async throws {
        struct Unwritten: Error {}
        struct Late: SinkSubject {
            let base = FlawedSubject(flaw: nil)
            func makeSink() throws -> any Sink { try base.makeSink() }
            func records() throws -> [LogRecord] { try base.records() }
            func recordsAfterPowerLoss() throws -> [LogRecord]? {
                // As a file that is created with the first record.
                guard !base.destination.records.isEmpty else { throw Unwritten() }
                return try base.recordsAfterPowerLoss()
            }
            func interrupt() throws -> Bool { try base.interrupt() }
            func restore() throws { try base.restore() }
        }
        let rule = try #require(SinkRule.all.first { $0.sentence == Flaw.ignoresFailedFlush.rawValue })
        #expect(try await rule.check(Late()) == .kept)
    }

    @Test func `each rule has a flaw that it finds`() {
        #expect(SinkRule.all.map(\.sentence).sorted() == Flaw.allCases.map(\.rawValue).sorted())
    }

    @Test func `rules that a subject cannot test are reported and not counted as fulfilled`() async throws {
        struct Plain: SinkSubject {
            let destination = FlawedDestination()
            func makeSink() throws -> any Sink { FlawedSink(destination, nil) }
            func records() throws -> [LogRecord] {
                destination.records.map { LogRecord(level: .info, message: $0.message) }
            }
            var keeps: RecordParts { [.message] }
        }
        var unshown: [String] = []
        for rule in SinkRule.all {
            if case .notApplicable = try await rule.check(Plain()) { unshown.append(rule.sentence) }
        }
        #expect(
            unshown
                == [
                    Flaw.makesValuesText, .givesUpAtOnce, .saysThatNothingWasTaken, .swallowsWhatFails,
                    .ignoresFailedFlush,
                    .triesForEver,
                    .givesNoReason,
                ].map(\.rawValue))
    }

    @Test func `a violation contains the rule and the observation`() async throws {
        let rule = try #require(SinkRule.all.first { $0.sentence == Flaw.skipsEmptyMessages.rawValue })
        let violation = await #expect(throws: RuleViolation.self) {
            try await rule.check(FlawedSubject(flaw: .skipsEmptyMessages))
        }
        #expect(
            violation?.description
                == "the rule \"an empty message is kept\" is broken: "
                + "around an empty message, record 2 of 3 was read back with message \"after\", not \"\"")
    }
}
