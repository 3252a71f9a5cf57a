import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailSimulated

@Suite(.mayBlock) struct SimulatedInputTests {
    static let places = [
        SimulatedOptions.Point(latitude: 0, longitude: 0), SimulatedOptions.Point(latitude: 0, longitude: 0.001),
        SimulatedOptions.Point(latitude: 0.001, longitude: 0.001),
    ]

    /// Runs the input for a number of steps, by default of its interval, and performs an action before each, and one when
    /// it has been created.
    static func run(
        _ options: SimulatedOptions, _ locations: SimulatedLocations = SimulatedLocations(), intervals: Int,
        step: Duration? = nil, before: (Int) -> Void = { _ in }, created: () -> Void = {}
    ) async throws -> [GeoEvent] {
        let clock = ManualClock()
        let feed = LocationFeed()
        let events = GeoEvents()
        let subscription = feed.subscribe(event: { events.add($0) })
        let pipeline = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false))
        let input = SimulatedInput(options, locations: locations, feed: feed, clock: clock)
        created()
        let task = Task { try await input.run(into: pipeline) }
        for interval in 0..<intervals {
            await clock.waitForSleepers()
            before(interval)
            clock.advance(by: step ?? options.interval)
        }
        await clock.waitForSleepers()
        task.cancel()
        try await task.value
        pipeline.shutdown()
        withExtendedLifetime(subscription) {}
        return events.all
    }

    @Test func `a single waypoint is a fixed position, and is marked as simulated`() async throws {
        let options = SimulatedOptions(points: [Self.places[1]])
        let locations = try await Self.run(options, intervals: 5).compactMap(\.location)
        #expect(locations.count == 6)
        #expect(locations.allSatisfy { $0.coordinate == Coordinate(latitude: 0, longitude: 0.001) && $0.isSimulated })
        #expect(locations.allSatisfy { $0.speed == 0 && $0.course == nil && $0.horizontalAccuracy == 5 })
    }

    @Test func `a route is followed at its speed, up to its end`() async throws {
        let options = SimulatedOptions(points: Self.places, speed: 20)
        let locations = try await Self.run(options, intervals: 15).compactMap(\.location)
        for (one, next) in zip(locations, locations.dropFirst()).prefix(10) {
            // Around the corner the way is longer than the line.
            #expect(abs(Geodesy.distance(one.coordinate, next.coordinate) - 20) < 6)
        }
        #expect(locations[2].course == 90 && locations[2].speed == 20)
        #expect(abs(Geodesy.distance(locations[2].coordinate, Coordinate(latitude: 0, longitude: 0)) - 40) < 1e-6)
        #expect(locations[8].course.map { abs($0) < 0.01 || $0 > 359.99 } == true)
        let last = try #require(locations.last)
        #expect(Geodesy.distance(last.coordinate, Coordinate(latitude: 0.001, longitude: 0.001)) < 1e-6)
        #expect(last.speed == 0)
    }

    @Test func `positions that a suspension has delayed are skipped`() async throws {
        let options = SimulatedOptions(points: Self.places, speed: 10)
        let events = try await Self.run(options, intervals: 2, step: .milliseconds(5_500))
        let distances = events.compactMap(\.location).map {
            Geodesy.distance($0.coordinate, Coordinate(latitude: 0, longitude: 0)).rounded()
        }
        #expect(distances == [0, 50, 110])
    }

    @Test func `a route's own places come out as they are, and those between without noise`() throws {
        let places = [(55.6761, 12.5683), (55.676099, 12.5684), (-33.8688, 151.2093), (-33.8688, 151.2094)].map {
            Coordinate(latitude: $0.0, longitude: $0.1)
        }
        for place in places {
            let route = try #require(SimulatedRoute([place]))
            #expect(route.location(after: 1e4, timestamp: .now).coordinate == place)
        }
        for loops in [false, true] {
            // A metre per second on a route of one leg each: its length determines when its end is reached.
            for (start, end) in zip(places, places.dropFirst()) {
                let route = try #require(SimulatedRoute([start, end], speed: 1, loops: loops))
                #expect(route.location(after: 0, timestamp: .now).coordinate == start)
                let last = route.location(after: route.length, timestamp: .now).coordinate
                #expect(last == (loops ? start : end))
            }
        }
        let route = try #require(SimulatedRoute(places, speed: 250))
        for second in 1..<60 {
            let place = route.location(after: Double(second) / 7, timestamp: .now).coordinate
            for degrees in [place.latitude, place.longitude] {
                let text = "\(degrees)"
                #expect(text.contains(".") && (text.split(separator: ".").last?.count ?? 0) <= 11, "\(text)")
            }
        }
        #expect(route.location(after: 1e9, timestamp: .now).coordinate == places[3])
    }

    @Test func `a looped route repeats`() throws {
        let points = Self.places.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
        let route = try #require(SimulatedRoute(points, speed: 10, loops: true))
        let round = route.length / 10
        let first = route.location(after: 3, timestamp: .now)
        let later = route.location(after: 3 + 2 * round, timestamp: .now)
        #expect(Geodesy.distance(first.coordinate, later.coordinate) < 1e-6 && !route.isOver(after: 1e9))
        #expect(try #require(SimulatedRoute(points)).isOver(after: 1e9))
        #expect(SimulatedRoute([]) == nil && SimulatedRoute(points, speed: 0) == nil)
    }

    @Test func `places can be cleared and set while it runs`() async throws {
        let locations = SimulatedLocations()
        let there = Coordinate(latitude: 10, longitude: 20)
        let events = try await Self.run(SimulatedOptions(points: [Self.places[0]]), locations, intervals: 6) {
            interval in
            if interval == 1 { locations.clear() }
            if interval == 4, let route = SimulatedRoute([there]) { locations.set(route) }
        }
        #expect(events.map { $0.location?.coordinate.latitude } == [0, 0, nil, 10, 10])
        #expect(events[2].error?.code == 0)
    }

    @Test func `an input that never runs moves nothing, and what is set before it runs is kept`() async throws {
        let locations = SimulatedLocations()
        let there = try #require(SimulatedRoute([Coordinate(latitude: 10, longitude: 20)]))
        locations.set(there)
        let options = SimulatedOptions(points: [Self.places[1]])
        // As for a configuration that is rejected.
        _ = SimulatedInput(options, locations: locations, feed: LocationFeed())
        #expect(locations.current.route == there)
        let own = try await Self.run(options, locations, intervals: 1)
        #expect(own.first?.location?.coordinate.longitude == 0.001)
        let kept = try await Self.run(options, locations, intervals: 1, created: { locations.set(there) })
        #expect(kept.first?.location?.coordinate.longitude == 20)
    }

    @Test func `a command moves the instance with its name only`() async throws {
        #expect(SimulatedLocations.named("simulated") === SimulatedLocations.shared)
        let pipeline = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false))
        let options = SimulatedOptions(points: [Self.places[0]], interval: .hours(1))
        let tasks = ["simulated", "boat"].map { name in
            let input = SimulatedPlugin.input(options, PluginInstance(named: name))
            return Task { try await input.run(into: pipeline) }
        }
        let (car, boat) = (SimulatedLocations.shared, SimulatedLocations.named("boat"))
        #expect(await eventually { car.current.route != nil && boat.current.route != nil })
        let place = [LogValueEntry("latitude", 10), LogValueEntry("longitude", 20)]
        _ = try pipeline.execute(ControlCommand("set", place), by: "boat")
        #expect(boat.current.route?.points == [Coordinate(latitude: 10, longitude: 20)])
        #expect(car.current.route?.points == [Coordinate(latitude: 0, longitude: 0)])
        for task in tasks {
            task.cancel()
            try await task.value
        }
        pipeline.shutdown()
    }

    @Test(arguments: [
        "{}", "{\"points\":[{\"latitude\":91,\"longitude\":0}]}", "{\"points\":[],\"speed\":0}",
        "{\"points\":[],\"interval\":\"1ms\"}", "{\"points\":[],\"accuracy\":-1}",
    ])
    func `a wrong value is refused`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(SimulatedOptions.self, from: Data(json.utf8))
        }
    }
}
