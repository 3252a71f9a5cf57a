import Glibc
import Synchronization
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// How the writer goes to sleep without a fence in the log calls.
@Suite(.heavy) struct WakeUpTests {
    /// A writer about to sleep and a caller, who meet again and again.
    private final class Meeting: @unchecked Sendable {
        private static let rounds = 200_000
        private let control = QueueControl()
        private let queue: WriteQueue
        private let ring: UnsafeMutableRawPointer
        private let record: UnsafeMutableRawPointer
        private let secret: UInt64 = 0x12_3456_789A
        private let writerStep = Atomic<Int>(0)
        private let callerStep = Atomic<Int>(0)
        private let isCallerAwake = Atomic<Bool>(false)
        private let isOver = Atomic<Bool>(false)
        /// How often neither saw the other.
        private(set) var lost = 0
        private(set) var met = 0

        init() {
            queue = WriteQueue(control: control, limits: QueueOptions().limits)
            ring = .allocate(byteCount: 64 << 10, alignment: 4096)
            ring.initializeMemory(as: UInt8.self, repeating: 0, count: 64 << 10)
            record = .allocate(byteCount: 64, alignment: 64)
            record.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
            control.setRing(data: ring, capacity: 32 << 10, secret: secret)
            control.flushLevel = 255
            control.wakeMark.pointee.store(.max, ordering: .relaxed)
        }

        deinit {
            ring.deallocate()
            record.deallocate()
        }

        /// Waits until the other one has come as far.
        private func meet(_ step: Int, mine: borrowing Atomic<Int>, other: borrowing Atomic<Int>) {
            mine.store(step, ordering: .sequentiallyConsistent)
            var tries = 0
            while other.load(ordering: .sequentiallyConsistent) < step {
                tries += 1
                if tries > 2000 { sched_yield() }
            }
        }

        func callerRuns() {
            var round = 0
            while true {
                meet(2 * round + 1, mine: callerStep, other: writerStep)
                if isOver.load(ordering: .relaxed) { return }
                let position = UInt64(round) * 64
                queue.publish(record, length: 64, at: position, timestamp: 0)
                isCallerAwake.store(queue.wantsToKnow(of: .info, end: position + 64), ordering: .relaxed)
                meet(2 * round + 2, mine: callerStep, other: writerStep)
                round += 1
            }
        }

        func writerRuns() {
            // Beside much else, meetings take long: then there are fewer.
            let end = ContinuousClock.now + .seconds(10)
            var round = 0
            while true {
                let isLast = round == Self.rounds || round > 0 && ContinuousClock.now >= end
                isOver.store(isLast, ordering: .relaxed)
                meet(2 * round + 1, mine: writerStep, other: callerStep)
                if isLast { break }
                // The caller has a record to copy first.
                for _ in 0..<round % 256 { _ = isOver.load(ordering: .relaxed) }
                let position = UInt64(round) * 64
                let place = (ring + Int(position & control.mask)).assumingMemoryBound(to: Atomic<UInt64>.self)
                control.expectWake(after: 0)
                let word = place.pointee.load(ordering: .acquiring)
                let isSeen = RecordLayout.length(commitWord: word, position: position, secret: secret) != nil
                meet(2 * round + 2, mine: writerStep, other: callerStep)
                if !isSeen && !isCallerAwake.load(ordering: .relaxed) { lost += 1 }
                control.wakeMark.pointee.store(.max, ordering: .relaxed)
                round += 1
            }
            met = round
        }
    }

    @Test(
        .enabled(if: sysconf(CInt(_SC_NPROCESSORS_ONLN)) > 1, "one processor sees all its stores in order"),
        .enabled(if: Membarrier.isAvailable, "the kernel refuses membarrier, and the writer looks ten times a second"))
    func `a writer that goes to sleep sees the record, or its caller wakes it`() async throws {
        let meeting = Meeting()
        let caller = OwnThread { meeting.callerRuns() }
        try await blocking {
            meeting.writerRuns()
            caller.join()
        }
        #expect(meeting.met > 0)
        #expect(meeting.lost == 0, "of \(meeting.met)")
    }

    @Test(
        .enabled(if: Membarrier.isAvailable, "the kernel refuses membarrier, and the writer looks ten times a second"),
        .enabled(if: TracedCalls.compiler != nil, "no C compiler is installed"))
    func `a writer runs a membarrier before it sleeps until a caller wakes it`() async throws {
        // What the barrier is for shows in optimized programs only; that it is run shows in all.
        let directory = TemporaryDirectory()
        let outside = TemporaryDirectory()
        let library = try TracedCalls.library(in: outside)
        let subject = try Program.subject(
            ["wait", directory.file("app.log")],
            environment: ["LD_PRELOAD": library, "TRACE_CALLS": outside.file("trace")])
        try await blocking { try #require(subject.readLine() == "ready") }
        // A writer may park, be woken by the first line, and park again.
        var parked: [Substring] = []
        let hasParked = await eventually {
            parked = TracedCalls(outside.text("trace")).calls
                .filter { ["barrier", "sleep"].contains($0.name) && $0.path == "taffrail" }.map(\.name)
            return parked.last == "sleep"
        }
        #expect(hasParked)
        #expect(parked.suffix(2) == ["barrier", "sleep"])
    }
}
