import Taffrail
import TaffrailTestSupport
import Testing

/// The limits of tests that run at the same time.
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

    @Test(arguments: [1, 3]) func `a gate admits as many at once as it is wide`(width: Int) async {
        let gate = Gate(width)
        let count = Count()
        await withTaskGroup { group in
            for _ in 0..<4 * width {
                group.addTask {
                    await gate.enter()
                    count.enter()
                    // Gives other tests time to start, including one too many if that is possible.
                    for _ in 0..<10_000 where count.most < width { await Task.yield() }
                    for _ in 0..<100 { await Task.yield() }
                    count.leave()
                    gate.leave()
                }
            }
        }
        #expect(count.all == 4 * width)
        #expect(count.most == width)
    }

    @Test func `of heavy tests no more run at a time than their number`() async throws {
        let test = try #require(Test.current)
        let trait: BlockingTrait = .heavy
        let count = Count()
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 * BlockingTrait.mostHeavy {
                group.addTask {
                    try await trait.provideScope(for: test, testCase: nil) {
                        count.enter()
                        // Gives another test time to start, if that is possible.
                        for _ in 0..<1_000 where count.most <= BlockingTrait.mostHeavy { await Task.yield() }
                        count.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(count.all == 4 * BlockingTrait.mostHeavy)
        #expect(count.most <= BlockingTrait.mostHeavy)
    }
}
