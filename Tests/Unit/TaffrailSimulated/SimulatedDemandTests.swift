import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailSimulated

/// The input with `on_demand`.
@Suite(.mayBlock) struct SimulatedDemandTests {
    @Test func `positions come while they are requested`() async throws {
        let clock = ManualClock()
        let feed = LocationFeed()
        let events = GeoEvents()
        let listener = feed.subscribe(event: { events.add($0) })
        let pipeline = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false))
        let options = SimulatedOptions(points: [.init(latitude: 1, longitude: 2)], onDemand: true)
        let input = SimulatedInput(options, locations: SimulatedLocations(), feed: feed, clock: clock)
        let task = Task { try await input.run(into: pipeline) }
        func pass(_ intervals: Int) async {
            for _ in 0..<intervals {
                await clock.waitForSleepers()
                clock.advance(by: options.interval)
            }
            await clock.waitForSleepers()
        }
        await pass(3)
        #expect(events.count == 0)
        let demand = feed.subscribe(accuracy: 10)
        await pass(3)
        #expect(events.locations.count == 3)
        feed.setAccuracy(nil, for: demand)
        await pass(3)
        #expect(events.count == 3)
        task.cancel()
        try await task.value
        pipeline.shutdown()
        withExtendedLifetime((listener, demand)) {}
    }

    @Test func `its authorization counts while it runs`() async throws {
        let clock = ManualClock()
        let feed = LocationFeed()
        let pipeline = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false))
        let options = SimulatedOptions(points: [.init(latitude: 1, longitude: 2)])
        let input = SimulatedInput(options, locations: SimulatedLocations(), feed: feed, clock: clock)
        let task = Task { try await input.run(into: pipeline) }
        await clock.waitForSleepers()
        // As of an input whose line may not be opened.
        feed.setAuthorization(.denied, of: "/dev/ttyACM0")
        #expect(feed.authorization == .authorizedAlways)
        task.cancel()
        try await task.value
        pipeline.shutdown()
        feed.setAuthorization(.denied, of: "/dev/ttyACM0")
        #expect(feed.authorization == .denied)
    }
}
