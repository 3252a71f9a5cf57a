import Taffrail
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// The rules for context providers: a sound one keeps all of them, and each flaw is reported by the rule that it breaks.
@Suite(.mayBlock) struct ContextRuleTests {
    /// What can be wrong with a provider, one for each rule.
    enum Flaw: String, CaseIterable {
        case isLate = "a record has the attributes that are true when it is logged"
        case forgetsNothing = "attributes that are no longer true are removed"
        case goesOn = "nothing is published after the provider has been stopped"
        case yieldsToOthers = "the names that it yields to are those of its attributes"
    }

    /// The number of the watch, and in every second one the officer.
    final class Watch: ContextProvider {
        private struct State {
            var slot: Pipeline.ContextSlot?
            var last: LogAttributes = [:]
            var officers: [String] = []
        }

        private let flaw: Flaw?
        private let state = Locked(State())

        init(_ flaw: Flaw?) { self.flaw = flaw }

        var yieldsTo: String? { flaw == .yieldsToOthers ? "crew." : "watch." }

        func publish(into slot: Pipeline.ContextSlot) { state.withLock { $0.slot = slot } }

        func stop() {
            if flaw != .goesOn { state.withLock { $0.slot = nil } }
        }

        func set(_ number: Int) throws {
            try state.withLock { state in
                var now = LogAttributes([("watch.number", LogValue(number))])
                if number.isMultiple(of: 2) || flaw == .forgetsNothing {
                    now = LogAttributes([("watch.number", LogValue(number)), ("watch.officer", "Anna")])
                }
                try state.slot?.publish(flaw == .isLate ? state.last : now)
                state.last = now
            }
        }
    }

    final class WatchSubject: ContextSubject {
        private let watch: Watch
        private var number = 0
        init(_ flaw: Flaw?) { watch = Watch(flaw) }

        func makeProvider() throws -> any ContextProvider { watch }

        func change() async throws -> [LogValueEntry] {
            number += 1
            try watch.set(number)
            let officer = number.isMultiple(of: 2) ? [LogValueEntry("watch.officer", "Anna")] : []
            return [LogValueEntry("watch.number", LogValue(number))] + officer
        }
    }

    @Test(arguments: ContextRule.all) func `a sound provider keeps every rule`(rule: ContextRule) async throws {
        #expect(try await rule.check(WatchSubject(nil)) == .kept)
    }

    @Test(arguments: Flaw.allCases) func `a provider that breaks a rule is reported by that rule`(flaw: Flaw)
        async throws
    {
        let rule = try #require(ContextRule.all.first { $0.sentence == flaw.rawValue })
        let violation = await #expect(throws: RuleViolation.self) {
            try await rule.check(WatchSubject(flaw), patience: .milliseconds(50))
        }
        #expect(violation?.sentence == flaw.rawValue)
    }

    @Test func `each rule has a flaw that it finds`() {
        #expect(ContextRule.all.map(\.sentence).sorted() == Flaw.allCases.map(\.rawValue).sorted())
    }
}
