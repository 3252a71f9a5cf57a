import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail

/// When a record in a queue in memory counts as safe from SIGKILL.
@Suite(.mayBlock) struct AcknowledgementTests {
    private func pipeline(_ sinks: sending [any Sink]) -> Pipeline {
        Pipeline(
            sinks: sinks,
            queue: QueueOptions(
                capacity: 64 << 10, durable: false, blockLimit: .seconds(60), handleSignals: false))
    }

    @Test func `a sink that fails does not delay it while another works`() async throws {
        let (good, bad) = (MemorySink(name: "good"), FailingSink(name: "bad"))
        bad.fail()
        let pipeline = pipeline([bad, good])
        // First the queue keeps the records of the sink that fails, later the sink is detached and loses them.
        for n in 0..<3000 {
            pipeline.logger.info("\(n)")
            if n % 100 == 0 {
                #expect(try await blocking { pipeline.awaitAcknowledgement() })
                #expect(good.messages.last == "\(n)")
            }
        }
        #expect(pipeline.lostBySinks > 0)
        #expect(try await blocking { pipeline.shutdown(timeout: .seconds(0.01)) } == false)
    }

    @Test func `while every sink fails it waits, and until a sink that works again has everything`() async throws {
        let (first, second) = (FailingSink(name: "first"), FailingSink(name: "second"))
        first.fail()
        second.fail()
        let pipeline = pipeline([first, second])
        pipeline.logger.info("one")
        let outcome = Locked<Bool?>(nil)
        let waiting = OwnThread {
            let isSafe = pipeline.awaitAcknowledgement()
            outcome.withLock { $0 = isSafe }
        }
        #expect(await eventually { first.failures > 3 && second.failures > 3 })
        #expect(outcome.withLock { $0 } == nil)
        second.restore()
        try await blocking { waiting.join() }
        #expect(outcome.withLock { $0 } == true && second.messages == ["one"])
        first.restore()
        #expect(try await blocking { pipeline.shutdown() })
    }

    @Test func `a refused record is not safe`() async throws {
        let picky = FailingSink(name: "picky", refusing: { $0.message == "no" })
        let pipeline = pipeline([MemorySink(), picky])
        pipeline.logger.info("no")
        #expect(try await blocking { pipeline.awaitAcknowledgement() } == false)
        pipeline.logger.info("yes")
        #expect(try await blocking { pipeline.awaitAcknowledgement() })
        pipeline.shutdown()
    }
}
