import Synchronization
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

@Suite(.mayBlock) struct DemandedSourceTests {
    /// A source that counts how often it was opened, and whether it is open.
    final class Counted: Sendable {
        let openings = Atomic<Int>(0)
        let isOpen = Atomic<Bool>(false)

        func body(_ interrupt: Interrupt) {
            openings.add(1, ordering: .relaxed)
            isOpen.store(true, ordering: .relaxed)
            _ = interrupt.wait(timeout: nil)
            isOpen.store(false, ordering: .relaxed)
        }

        var count: Int { openings.load(ordering: .relaxed) }
        var isRunning: Bool { isOpen.load(ordering: .relaxed) }
    }

    /// A clock that the test sets.
    final class Nanoseconds: Sendable {
        private let value = Atomic<Int64>(1)
        private let looks = Atomic<Int>(0)
        var now: Int64 {
            looks.add(1, ordering: .relaxed)
            return value.load(ordering: .relaxed)
        }
        /// Whether a source looks at it a few times more.
        func isLookedAt() async -> Bool {
            let count = looks.load(ordering: .relaxed)
            return await eventually { looks.load(ordering: .relaxed) >= count + 3 }
        }
        func advance(_ seconds: Double) { value.add(Int64(seconds * 1e9), ordering: .relaxed) }
    }

    private static func start(_ source: DemandedSource, _ counted: Counted) -> Task<Void, Never> {
        Task { await source.run { { counted.body($0) } } }
    }

    private static let fix: GeoEvent = {
        var location = Location(latitude: 1, longitude: 2)
        location.horizontalAccuracy = 5
        return .location(location)
    }()

    @Test func `a source is open while positions are requested`() async {
        let (feed, counted) = (LocationFeed(), Counted())
        let task = Self.start(DemandedSource(feed, isOnDemand: true), counted)
        let passive = feed.subscribe(event: { _ in })
        #expect(!counted.isRunning)
        var first: LocationFeed.Subscription? = feed.subscribe(accuracy: 10)
        #expect(await eventually { counted.isRunning })
        var second: LocationFeed.Subscription? = feed.subscribe(accuracy: 100, interval: .hours(1))
        first = nil
        #expect(counted.count == 1)
        second = nil
        #expect(await eventually { !counted.isRunning })
        first = feed.subscribe(accuracy: 10)
        #expect(await eventually { counted.isRunning && counted.count == 2 })
        task.cancel()
        await task.value
        #expect(!counted.isRunning && counted.count == 2)
        withExtendedLifetime((passive, first, second)) {}
    }

    @Test func `a source that is not on demand is always open, and passes everything`() async {
        let (feed, counted) = (LocationFeed(), Counted())
        let source = DemandedSource(feed, isOnDemand: false)
        let task = Self.start(source, counted)
        #expect(await eventually { counted.isRunning })
        #expect(source.admits(Self.fix) && source.admits(Self.fix))
        task.cancel()
        await task.value
        #expect(counted.count == 1)
    }

    @Test func `a closed source ends with its task, and one that ends by itself stays closed`() async {
        let feed = LocationFeed()
        let closed = Task { await DemandedSource(feed, isOnDemand: true).run { { _ in } } }
        closed.cancel()
        await closed.value
        let demand = feed.subscribe(accuracy: 10)
        let runs = Atomic<Int>(0)
        await DemandedSource(feed, isOnDemand: true).run { { _ in runs.add(1, ordering: .relaxed) } }
        #expect(runs.load(ordering: .relaxed) == 1)
        withExtendedLifetime(demand) {}
    }

    @Test func `as many positions pass as the most demanding listener wants`() {
        let (feed, clock) = (LocationFeed(), Nanoseconds())
        let source = DemandedSource(feed, isOnDemand: true, now: { clock.now })
        #expect(!source.admits(Self.fix) && source.admits(.error(.locationUnknown())))
        let slow = feed.subscribe(accuracy: 100, interval: .seconds(10))
        #expect(source.admits(Self.fix) && !source.admits(Self.fix))
        clock.advance(8.9)
        #expect(!source.admits(Self.fix))
        clock.advance(0.2)
        #expect(source.admits(Self.fix))
        var fast: LocationFeed.Subscription? = feed.subscribe(accuracy: 10)
        #expect(source.admits(Self.fix) && source.admits(Self.fix))
        fast = nil
        #expect(!source.admits(Self.fix) && fast == nil)
        withExtendedLifetime(slow) {}
    }

    @Test func `with a long interval the source is open for one position each`() async {
        let (feed, clock, counted) = (LocationFeed(), Nanoseconds(), Counted())
        let source = DemandedSource(feed, isOnDemand: true, now: { clock.now })
        let task = Self.start(source, counted)
        let slow = feed.subscribe(accuracy: 100, interval: .seconds(60))
        #expect(await eventually { counted.isRunning })
        #expect(source.admits(Self.fix))
        #expect(await eventually { !counted.isRunning })
        clock.advance(59)
        feed.setDemand(accuracy: 50, interval: nil, for: slow)
        #expect(!counted.isRunning && counted.count == 1)
        clock.advance(1)
        feed.setDemand(accuracy: 100, interval: nil, for: slow)
        #expect(await eventually { counted.isRunning && counted.count == 2 })
        #expect(source.admits(Self.fix))
        #expect(await eventually { !counted.isRunning })
        // A listener that wants all positions does not wait.
        feed.setDemand(accuracy: 100, interval: .zero, for: slow)
        #expect(await eventually { counted.isRunning && counted.count == 3 })
        task.cancel()
        await task.value
    }

    @Test func `a source that has no position for one that is wanted is closed until the next is due`() async {
        let (feed, clock, counted) = (LocationFeed(), Nanoseconds(), Counted())
        let source = DemandedSource(feed, isOnDemand: true, checkInterval: .microseconds(500), now: { clock.now })
        let task = Self.start(source, counted)
        // While every position is wanted it stays open, for however long.
        let demand = feed.subscribe(accuracy: 100)
        #expect(await eventually { counted.isRunning })
        clock.advance(1_000)
        // The time for one position begins now.
        feed.setDemand(accuracy: 100, interval: .seconds(60), for: demand)
        clock.advance(29)
        #expect(await clock.isLookedAt() && counted.isRunning)
        clock.advance(1)
        #expect(await eventually { !counted.isRunning })
        #expect(counted.count == 1)
        clock.advance(60)
        feed.setDemand(accuracy: 50, interval: nil, for: demand)
        #expect(await eventually { counted.count == 2 })
        // Every position, and then one again: the time, now twice as long, begins anew.
        clock.advance(29)
        feed.setDemand(accuracy: 50, interval: .zero, for: demand)
        feed.setDemand(accuracy: 50, interval: .seconds(60), for: demand)
        clock.advance(59)
        #expect(await clock.isLookedAt() && counted.isRunning)
        clock.advance(1)
        #expect(await eventually { !counted.isRunning })
        task.cancel()
        await task.value
    }

    @Test func `each failure doubles the time for one position, up to five minutes, and a position ends that`() async {
        let (feed, clock, counted) = (LocationFeed(), Nanoseconds(), Counted())
        let source = DemandedSource(feed, isOnDemand: true, checkInterval: .microseconds(500), now: { clock.now })
        let demand = feed.subscribe(accuracy: 100, interval: .seconds(60))
        let task = Self.start(source, counted)
        var accuracy = 100.0
        /// Has the source look at the clock while it is closed.
        func review() {
            accuracy += 1
            feed.setDemand(accuracy: accuracy, interval: nil, for: demand)
        }
        #expect(await eventually { counted.isRunning })
        // It is closed for as long as it was open, at least for the interval.
        for (time, pause) in [(30.0, 60.0), (60, 60), (120, 120), (240, 240), (300, 300), (300, 300)] {
            clock.advance(time - 1)
            #expect(await clock.isLookedAt() && counted.isRunning)
            clock.advance(1)
            #expect(await eventually { !counted.isRunning })
            clock.advance(pause - 1)
            review()
            #expect(!counted.isRunning)
            clock.advance(1)
            review()
            #expect(await eventually { counted.isRunning })
        }
        #expect(source.admits(Self.fix))
        #expect(await eventually { !counted.isRunning })
        clock.advance(60)
        review()
        #expect(await eventually { counted.isRunning })
        clock.advance(30)
        #expect(await eventually { !counted.isRunning })
        task.cancel()
        await task.value
    }

    @Test func `the position that is wanted has an accuracy`() async {
        let (feed, clock, counted) = (LocationFeed(), Nanoseconds(), Counted())
        let source = DemandedSource(feed, isOnDemand: true, now: { clock.now })
        let task = Self.start(source, counted)
        let slow = feed.subscribe(accuracy: 100, interval: .seconds(60))
        #expect(await eventually { counted.isRunning })
        #expect(source.admits(.location(Location(latitude: 1, longitude: 2))))
        #expect(source.admits(Self.fix) && !source.admits(Self.fix))
        #expect(await eventually { !counted.isRunning })
        #expect(counted.count == 1)
        task.cancel()
        await task.value
        withExtendedLifetime(slow) {}
    }

    @Test func `the next position is awaited without a change of the demand`() async {
        let (feed, counted) = (LocationFeed(), Counted())
        let start = SystemClock.monotonicNanoseconds()
        // A clock a hundred times as fast.
        let source = DemandedSource(
            feed, isOnDemand: true, now: { start + (SystemClock.monotonicNanoseconds() - start) * 100 })
        let slow = feed.subscribe(accuracy: 100, interval: .seconds(30))
        let task = Self.start(source, counted)
        #expect(await eventually { counted.isRunning })
        #expect(source.admits(Self.fix))
        #expect(await eventually { counted.count == 2 && counted.isRunning })
        task.cancel()
        await task.value
        withExtendedLifetime(slow) {}
    }

    @Test func `the demand has the best accuracy and the shortest interval of all`() {
        let feed = LocationFeed()
        let one = feed.subscribe(accuracy: 100, interval: .seconds(10))
        let other = feed.subscribe(accuracy: 10, interval: .seconds(60))
        #expect(feed.demand.listeners == 2 && feed.demand.accuracy == 10 && feed.demand.interval == .seconds(10))
        #expect(feed.demand.distance == 0)
        feed.setDemand(accuracy: nil, interval: nil, for: one)
        feed.setDemand(accuracy: 10, interval: nil, distance: 25, for: other)
        #expect(feed.demand.listeners == 1 && feed.demand.interval == .seconds(60) && feed.demand.distance == 25)
        withExtendedLifetime((one, other)) {}
    }
}
