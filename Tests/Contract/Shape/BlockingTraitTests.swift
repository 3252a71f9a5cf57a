import Taffrail
import TaffrailTestSupport
import Testing

/// The limits of what runs at once.
@Suite struct BlockingTraitTests {
    private struct Count {
        var inside = 0
        var most = 0
        var all = 0
    }

    @Test func `of heavy tests one runs at a time`() async throws {
        let test = try #require(Test.current)
        let trait: BlockingTrait = .heavy
        let count = Locked(Count())
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    try await trait.provideScope(for: test, testCase: nil) {
                        count.withLock { count in
                            count.inside += 1
                            count.most = max(count.most, count.inside)
                            count.all += 1
                        }
                        // Time for another one to come in, if that is possible.
                        for _ in 0..<1_000 where count.withLock({ $0.most }) == 1 { await Task.yield() }
                        count.withLock { $0.inside -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(count.withLock { $0.all } == 4)
        #expect(count.withLock { $0.most } == 1)
    }
}
