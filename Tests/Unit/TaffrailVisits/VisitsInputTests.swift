import Foundation
import Taffrail
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeo
@testable import TaffrailVisits

@Suite(.mayBlock) struct VisitsInputTests {
    private static let home = NamedPlace(
        name: "home", center: Coordinate(latitude: 55, longitude: 12), radius: 200)

    /// Sends a fix to a feed, at a second, metres east of home.
    private func send(_ second: Int, _ east: Double, to feed: LocationFeed) {
        let place = Geodesy.destination(from: Self.home.center, bearing: 90, distance: east)
        var location = Location(
            latitude: place.latitude, longitude: place.longitude,
            timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(second) * 1_000_000_000))
        location.horizontalAccuracy = 5
        feed.publish(.location(location))
    }

    /// An input that has seen a walk: ten minutes at home, two kilometres away for ten minutes, and home again.
    private func inputAfterWalk(_ options: VisitsOptions) -> VisitsInput {
        let feed = LocationFeed()
        feed.setAuthorization(.authorizedAlways)
        let input = VisitsInput(options, feed: feed)
        for second in stride(from: 0, through: 2_400, by: 5) {
            let away = max(0, min(min(2_000, Double(second - 600) * 10), Double(1_900 - second) * 10))
            send(second, away, to: feed)
        }
        return input
    }

    /// The records of the walk.
    private func records(_ options: VisitsOptions, wanted: Int) async throws -> [LogRecord] {
        let input = inputAfterWalk(options)
        return try await withCapturedLog { log in
            let running = Task { try await input.run(into: Pipeline.shared) }
            #expect(await eventually { log.records.count >= wanted }, "\(log.records)")
            running.cancel()
            try await running.value
            return log.records
        }
    }

    private func text(_ record: LogRecord, _ name: String) -> String? {
        if case .string(let text)? = record["taffrail.geo." + name] { text } else { nil }
    }

    private func seconds(_ record: LogRecord) -> Double? {
        if case .double(let seconds)? = record["taffrail.geo.duration"] { seconds } else { nil }
    }

    @Test func `a place that is left and entered is a record, with how long one was there`() async throws {
        let records = try await records(VisitsOptions(places: [Self.home], visits: false), wanted: 2)
        #expect(records.map(\.eventName) == ["geo.region", "geo.region"] && records.map(\.logger) == ["geo", "geo"])
        #expect(records.map { text($0, "transition") } == ["leave", "enter"])
        #expect(records.allSatisfy { text($0, "place") == "home" })
        #expect(try abs(#require(seconds(records[0])) - 640) < 30, "\(records[0])")
        #expect(records[0].message == "left home after 11 min" && records[1].message == "entered home")
        #expect(records[0]["taffrail.geo.time"] != nil)
    }

    @Test func `a stay is a record on arrival and on departure`() async throws {
        let records = try await records(VisitsOptions(places: [Self.home]), wanted: 7)
            .filter { $0.eventName == "geo.visit" }
        #expect(records.map { text($0, "transition") } == ["arrive", "leave", "arrive", "leave", "arrive"])
        #expect(records.map { text($0, "place") } == ["home", "home", nil, nil, "home"])
        #expect(try abs(#require(seconds(records[1])) - 610) < 15 && abs(#require(seconds(records[3])) - 910) < 30)
        // What privacy may hide is in attributes alone.
        #expect(records.allSatisfy { $0[GeoAttributes.latitude] != nil && !$0.message.contains("55") })
    }

    @Test func `stays and crossings have nothing of the program's context, and its own records have it`() async throws {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false))
        let context = PublishedContext()
        pipeline.add(context)
        try context.publish(["ship": "Gudrun"])
        pipeline.logger.info("cast off")
        let input = inputAfterWalk(VisitsOptions(places: [Self.home]))
        let running = Task { try await input.run(into: pipeline) }
        #expect(await eventually { sink.records.count >= 8 }, "\(sink.records)")
        running.cancel()
        try await running.value
        pipeline.logger.info("moored")
        pipeline.shutdown()
        let found = sink.records.filter { $0.logger == "geo" }
        #expect(Set(found.map(\.eventName)) == ["geo.visit", "geo.region"])
        #expect(found.allSatisfy { $0["ship"] == nil }, "\(found)")
        let own = sink.records.filter { $0.logger.isEmpty }
        #expect(own.map(\.message) == ["cast off", "moored"] && own.allSatisfy { $0["ship"] == "Gudrun" })
    }

    @Test func `options name places that the configuration has`() throws {
        func options(_ json: String) throws -> VisitsOptions {
            try JSONDecoder().decode(VisitsOptions.self, from: Data(json.utf8))
        }
        #expect(try options("{}") == VisitsOptions())
        #expect(try options(#"{"radius": 50}"#).radius == 50)
        for wrong in [#"{"places": ["home"]}"#, #"{"radius": 1}"#, #"{"visits": false}"#, #"{"dwell": "1s"}"#] {
            #expect(throws: DecodingError.self) { try options(wrong) }
        }
    }
}
