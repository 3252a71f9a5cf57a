import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

@Suite(.mayBlock) struct DeliveryThreadTests {
    /// What a thread has done.
    private final class Work: Sendable {
        let steps = Locked(0)
        var count: Int { steps.withLock { $0 } }
        func step() { steps.withLock { $0 += 1 } }
    }

    @Test func `it is started once, and what wakes it before it sleeps is not missed`() async {
        let (thread, work) = (DeliveryThread(named: "test"), Work())
        for _ in 0..<3 {
            let isStarted = thread.start {
                while thread.phase == .working {
                    let seen = thread.wakeUps
                    work.step()
                    thread.sleep(while: seen, for: nil)
                }
            }
            #expect(isStarted)
        }
        #expect(await eventually { work.count == 1 })
        for number in 2...20 {
            thread.wake()
            #expect(await eventually { work.count == number })
        }
        thread.stop {}
        #expect(work.count == 20)
    }

    @Test func `it may send what is left, is interrupted after that, and is waited for`() async {
        let (thread, interrupted) = (DeliveryThread(named: "test"), Work())
        let phases = Locked<[DeliveryThread.Phase]>([])
        #expect(
            thread.start {
                phases.withLock { $0.append(thread.phase) }
                thread.pause(for: .seconds(60))
                phases.withLock { $0.append(thread.phase) }
                // It does not end by itself.
                while thread.phase == .ending { thread.sleep(while: thread.wakeUps, for: .milliseconds(1)) }
                phases.withLock { $0.append(thread.phase) }
            })
        #expect(await eventually { phases.withLock { $0 == [.working] } })
        // All of the first time passes: enough for the thread to see that it is to end.
        thread.stop(drain: .seconds(5), limit: .seconds(60)) { interrupted.step() }
        #expect(phases.withLock { $0 } == [.working, .ending, .stopping] && interrupted.count == 1)
    }

    @Test func `an end without time to send is not delayed by what it would wait for`() async {
        let thread = DeliveryThread(named: "test")
        let isPausing = Work()
        let phase = Locked(DeliveryThread.Phase.working)
        #expect(
            thread.start {
                isPausing.step()
                thread.pause(for: .nanoseconds(Int64.max))
                phase.withLock { $0 = thread.phase }
            })
        #expect(await eventually { isPausing.count == 1 })
        // No end.
        thread.wake()
        thread.stop(limit: .seconds(60)) {}
        #expect(phase.withLock { $0 } == .stopping)
    }

    @Test func `it can be started again when it has ended, and not when it was stopped`() async {
        let (thread, work) = (DeliveryThread(named: "test"), Work())
        for number in 1...3 {
            #expect(await eventually { thread.start { work.step() } && work.count >= number })
        }
        // One that was started last has ended before what it has done is counted.
        thread.stop(limit: .seconds(60)) {}
        let count = work.count
        #expect(thread.start { work.step() })
        thread.stop {}
        #expect(work.count == count)
    }
}
