import Taffrail
import TaffrailTestSupport
import Testing

/// The limits of what runs at once.
@Suite struct BlockingTraitTests {
    private final class Count: Sendable {
        private let numbers = Locked((inside: 0, most: 0, all: 0))

        var most: Int { numbers.withLock { $0.most } }
        var all: Int { numbers.withLock { $0.all } }

        func enter() {
            numbers.withLock { numbers in
                numbers.inside += 1
                numbers.most = max(numbers.most, numbers.inside)
                numbers.all += 1
            }
        }

        func leave() { numbers.withLock { $0.inside -= 1 } }
    }

    @Test func `of heavy tests one runs at a time`() async throws {
        let test = try #require(Test.current)
        let trait: BlockingTrait = .heavy
        let count = Count()
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    try await trait.provideScope(for: test, testCase: nil) {
                        count.enter()
                        // Time for another one to come in, if that is possible.
                        for _ in 0..<1_000 where count.most == 1 { await Task.yield() }
                        count.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(count.all == 4)
        #expect(count.most == 1)
    }
}
