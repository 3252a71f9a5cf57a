import Taffrail
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// The rules for inputs: a sound one keeps all of them, and each flaw is reported by the rule that it breaks.
@Suite(.mayBlock) struct InputRuleTests {
    /// What can be wrong with an input, one for each rule.
    enum Flaw: String, CaseIterable {
        case logsTwice = "what the source delivers is logged once and in order"
        case ignoresItsEnd = "an input that is cancelled returns"
        case waitsForTheFirst = "an input that is cancelled before it has begun returns"
        case takesItsEndForAnError = "cancellation is not an error"
        case keepsTheSource = "an input can be started again after another one for the same source"
        case givesUp = "an input whose source becomes unavailable waits for it, and continues when it returns"
        case givesUpAtOnce = "an input whose source is unavailable when it starts waits for it"
        case sticksToTheSource = "an input whose source is unavailable returns when it is cancelled"
        case waitsForMore = "an input whose source has ended returns"
    }

    /// A source of lines.
    final class Tap: Sendable {
        struct State {
            var lines: [String] = []
            var given = 0
            var isAway = false
            var hasEnded = false
            var isTaken = false
            /// Ends every input, whatever its flaw.
            var isOver = false
        }

        let state = Locked(State())
    }

    struct Failure: Error {}

    struct TapInput: Input {
        let tap: Tap
        let flaw: Flaw?

        func run(into pipeline: Pipeline) async throws {
            let isOurs = tap.state.withLock { state in
                defer { state.isTaken = true }
                return flaw != .keepsTheSource || !state.isTaken
            }
            var hasBegun = false
            while !tap.state.withLock({ $0.isOver }) {
                let (line, isAway, hasEnded) = tap.state.withLock { state -> (String?, Bool, Bool) in
                    let line = state.isAway || state.lines.isEmpty || !isOurs ? nil : state.lines.removeFirst()
                    return (line, state.isAway, state.hasEnded && state.lines.isEmpty)
                }
                if let line {
                    hasBegun = true
                    pipeline.logger.info("\(line)")
                    if flaw == .logsTwice { pipeline.logger.info("\(line)") }
                    continue
                }
                if hasEnded && flaw != .waitsForMore { return }
                if isAway && (flaw == .givesUp && hasBegun || flaw == .givesUpAtOnce && !hasBegun) { return }
                let isDeaf =
                    flaw == .ignoresItsEnd || flaw == .waitsForTheFirst && !hasBegun
                    || flaw == .sticksToTheSource && isAway
                if Task.isCancelled && !isDeaf {
                    if flaw == .takesItsEndForAnError { throw Failure() }
                    throw CancellationError()
                }
                try? await Task.sleep(for: .milliseconds(1))
                if Task.isCancelled { await Task.yield() }
            }
        }
    }

    final class TapSubject: InputSubject {
        private let tap = Tap()
        private let flaw: Flaw?

        init(_ flaw: Flaw?) { self.flaw = flaw }

        var isAway: Bool { tap.state.withLock { $0.isAway } }

        deinit { tap.state.withLock { $0.isOver = true } }

        func makeInput() throws -> any Input { TapInput(tap: tap, flaw: flaw) }

        func give(_ count: Int) async throws -> [String] {
            tap.state.withLock { state in
                let lines = (state.given..<state.given + count).map { "line \($0)" }
                state.given += count
                state.lines += lines
                return lines
            }
        }

        func interrupt() async throws -> Bool {
            tap.state.withLock { $0.isAway = true }
            return true
        }

        func restore() async throws { tap.state.withLock { $0.isAway = false } }

        func end() async throws -> Bool {
            tap.state.withLock { $0.hasEnded = true }
            return true
        }
    }

    @Test(arguments: InputRule.all) func `a sound input keeps every rule`(rule: InputRule) async throws {
        #expect(try await rule.check(TapSubject(nil)) == .kept)
    }

    @Test(arguments: Flaw.allCases) func `an input that breaks a rule is reported by that rule`(flaw: Flaw) async throws
    {
        let rule = try #require(InputRule.all.first { $0.sentence == flaw.rawValue })
        let violation = await #expect(throws: RuleViolation.self) {
            try await rule.check(TapSubject(flaw), patience: .milliseconds(200))
        }
        #expect(violation?.sentence == flaw.rawValue && violation?.finding.contains("\n") == false)
    }

    @Test(arguments: [Flaw.givesUp, .givesUpAtOnce, .sticksToTheSource])
    func `a rule that is broken restores the source`(flaw: Flaw) async throws {
        let rule = try #require(InputRule.all.first { $0.sentence == flaw.rawValue })
        let subject = TapSubject(flaw)
        await #expect(throws: RuleViolation.self) { try await rule.check(subject, patience: .milliseconds(200)) }
        #expect(!subject.isAway)
    }

    @Test func `a source that cannot be restored is an error even if the rule is followed`() async throws {
        final class Stuck: InputSubject {
            private let base = TapSubject(nil)
            func makeInput() throws -> any Input { try base.makeInput() }
            func give(_ count: Int) async throws -> [String] { try await base.give(count) }
            func interrupt() async throws -> Bool { try await base.interrupt() }
            func restore() async throws { throw Failure() }
        }
        let rule = try #require(InputRule.all.first { $0.sentence == Flaw.sticksToTheSource.rawValue })
        await #expect(throws: Failure.self) { try await rule.check(Stuck()) }
    }

    @Test func `each rule has a flaw that it finds`() {
        #expect(InputRule.all.map(\.sentence).sorted() == Flaw.allCases.map(\.rawValue).sorted())
    }

    @Test func `a rule that a subject cannot show does not count as followed`() async throws {
        final class Plain: InputSubject {
            private let tap = Tap()
            deinit { tap.state.withLock { $0.isOver = true } }
            func makeInput() throws -> any Input { TapInput(tap: tap, flaw: nil) }
            func give(_ count: Int) async throws -> [String] {
                tap.state.withLock { state in
                    defer { state.given += count }
                    let lines = (state.given..<state.given + count).map(String.init)
                    state.lines += lines
                    return lines
                }
            }
        }
        var unshown: [String] = []
        for rule in InputRule.all {
            if case .notApplicable = try await rule.check(Plain()) { unshown.append(rule.sentence) }
        }
        #expect(unshown == [Flaw.givesUp, .givesUpAtOnce, .sticksToTheSource, .waitsForMore].map(\.rawValue))
    }
}
