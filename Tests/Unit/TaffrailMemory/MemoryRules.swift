import Taffrail
import TaffrailMemory
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// The plugin's sink in memory. Each subject has its own name.
private struct MemorySubject: SinkSubject {
    let name = "rules-\(UInt64.random(in: 0 ... .max))"
    var outlivesSink: Bool { false }

    func makeSink() throws -> any Sink { MemorySink(MemoryOptions(capacity: 1_000_000), name: name) }
    func records() throws -> [LogRecord] { MemorySink.named(name)?.records ?? [] }
}

@Suite(.mayBlock) struct MemoryRules {
    @Test(arguments: SinkRule.all) func `the memory sink keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(MemorySubject())
    }
}
