import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeoReplay
@testable import TaffrailLocationManager
@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

@Suite(.mayBlock) struct GeoReplayInputTests {
    static let head = "{\"events\":["
    static let fix = """
        {"type":"location","timestamp":"2026-01-05T14:30:00Z","relativeTime":0,"data":{"coordinate":\
        {"latitude":55.5,"longitude":12.25},"timestamp":"2026-01-05T14:29:59.5Z","horizontalAccuracy":4}}
        """
    static let tunnel = """
        {"type":"error","timestamp":"2026-01-05T14:30:00.5Z","relativeTime":0.0005,"code":0,"description":"tunnel"}
        """
    static let log = """
        {"type":"log","timestamp":"2026-01-05T14:30:01Z","relativeTime":0.001,"data":{"level":"warning",\
        "message":"bridge ahead","logger":"helm","event":"bridge","attributes":{"height":4.5}}}
        """

    /// Runs the input to its end, and returns the logged records and the published events.
    static func run(
        _ options: GeoReplayOptions
    ) async throws -> (records: [LogRecord], events: [GeoEvent], failure: (any Error)?) {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false))
        let feed = LocationFeed()
        let events = GeoEvents()
        let subscription = feed.subscribe(event: { events.add($0) })
        var failure: (any Error)?
        do { try await GeoReplayInput(options, feed: feed).run(into: pipeline) } catch { failure = error }
        pipeline.shutdown()
        withExtendedLifetime(subscription) {}
        return (sink.records, events.all, failure)
    }

    @Test func `a recording becomes records and events, its log records among them`() async throws {
        let folder = TemporaryDirectory()
        try folder.write("\(Self.head)\(Self.fix),\n\(Self.log)]}", to: "a.json")
        let path = folder.file("a.json")
        let (records, events, failure) = try await Self.run(GeoReplayOptions(ReplayOptions(path: path)))
        #expect(failure == nil && records.count == 3 && events.count == 2, "\(records)")
        #expect(records[0].eventName == "geo.location" && records[0]["taffrail.geo.simulated"] == .bool(true))
        #expect(records[0]["geo.location.lat"] == .double(55.5))
        #expect(events[0].location?.timestamp == RFC3339.timestamp("2026-01-05T14:29:59.5Z"))
        #expect(records[1].logger == "helm" && records[1].level == .warning && records[1].message == "bridge ahead")
        #expect(records[1]["height"] == .double(4.5) && records[1]["taffrail.replay.event"] == .string("bridge"))
        #expect(records[2].logger == "geo.replay" && records[2]["taffrail.replay.events"] == .int(2))
        #expect(records[2].message.contains("2 events, late by p50"))
    }

    @Test func `a replayed log record keeps its trace and source, and has its own time and number`() async throws {
        let folder = TemporaryDirectory()
        let log = """
            {"type":"log","timestamp":"2026-01-05T14:30:01Z","relativeTime":0,"data":{"level":"warning",\
            "message":"bridge ahead","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","span_id":"00f067aa0ba902b7",\
            "trace_flags":"01","file":"Helm/Bridge.swift","function":"pass()","line":7,"seq":9000,\
            "run":"1f"}}
            """
        try folder.write("\(Self.head)\(log)]}", to: "a.json")
        let (records, _, _) = try await Self.run(GeoReplayOptions(ReplayOptions(path: folder.file("a.json"))))
        let record = try #require(records.first { $0.message == "bridge ahead" })
        #expect(record.trace?.traceID.description == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(record.trace?.spanID.description == "00f067aa0ba902b7" && record.trace?.flags == .sampled)
        #expect(record.source == .init(file: "Helm/Bridge.swift", function: "pass()", line: 7))
        #expect(record.timestamp > RFC3339.timestamp("2026-01-05T14:30:01Z") ?? .now)
        #expect(record.sequence == records.last.map { $0.sequence - 1 } && record.run == records.last?.run)
    }

    @Test func `replayed records have nothing of the program's context, and its own records have it`() async throws {
        let folder = TemporaryDirectory()
        try folder.write("\(Self.head)\(Self.fix),\n\(Self.tunnel),\n\(Self.log)]}", to: "a.json")
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false))
        let context = PublishedContext()
        pipeline.add(context)
        try context.publish(["ship": "Gudrun"])
        pipeline.logger.info("cast off")
        let options = GeoReplayOptions(ReplayOptions(path: folder.file("a.json")))
        try await GeoReplayInput(options, feed: LocationFeed()).run(into: pipeline)
        pipeline.logger.info("moored")
        pipeline.shutdown()
        let records = sink.records
        #expect(records.map(\.logger) == ["", "geo", "geo", "helm", "geo.replay", ""])
        #expect(records.map(\.eventName) == [nil, "geo.location", "geo.error", nil, nil, nil])
        // The report about the replay is one of the program's own records.
        let ships: [LogValue?] = ["Gudrun", nil, nil, nil, "Gudrun", "Gudrun"]
        #expect(records.map { $0["ship"] } == ships)
    }

    @Test func `a location manager uses it as its source, with its authorization`() async throws {
        let folder = TemporaryDirectory()
        try folder.write("\(Self.head)\(Self.fix)]}", to: "a.json")
        let path = folder.file("a.json")
        let feed = LocationFeed()
        #expect(!feed.hasInputs && feed.authorization == .notDetermined)
        let input = try GeoReplayInput(GeoReplayOptions(ReplayOptions(path: path)), feed: feed)
        #expect(feed.hasInputs)
        let manager = LocationManager(feed: feed, queue: DispatchQueue(label: "replay"))
        let updates = manager.locations
        manager.requestWhenInUseAuthorization()
        manager.startUpdatingLocation()
        let pipeline = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false))
        try await input.run(into: pipeline)
        for await location in updates {
            #expect(location.coordinate == Coordinate(latitude: 55.5, longitude: 12.25))
            break
        }
        #expect(manager.authorizationStatus == .authorizedAlways)
        #expect(manager.location?.horizontalAccuracy == 4)
        pipeline.shutdown()
    }

    @Test func `a missing file is an error event at once`() async throws {
        let folder = TemporaryDirectory()
        let (records, events, failure) = try await Self.run(
            GeoReplayOptions(ReplayOptions(path: folder.path + "/none.json")))
        #expect((failure as? RecordingError)?.kind == .missing)
        #expect(records.first?.eventName == "geo.error" && events.count == 1)
        #expect(events.first?.error?.description.contains("none.json") == true)
    }

    @Test func `a damaged file is replayed up to the damage, which is reported with its offset`() async throws {
        let folder = TemporaryDirectory()
        let diagnostics = CapturedDiagnostics()
        try folder.write("\(Self.head)\(Self.fix),\n{\"type\":7", to: "torn.json")
        let path = folder.file("torn.json")
        let (records, events, failure) = try await Self.run(GeoReplayOptions(ReplayOptions(path: path)))
        #expect(failure == nil && events.count == 2 && records.count == 3)
        #expect(events[0].location != nil)
        #expect(events[1].error?.description.contains("torn.json:2: byte") == true)
        #expect(diagnostics.lines(with: "torn.json:2: byte").count == 1)
        #expect(diagnostics.lines(with: "1 readable events before that").count == 1)
    }

    @Test func `a replay that loops is ended by cancelling it`() async throws {
        let folder = TemporaryDirectory()
        try folder.write("\(Self.head)\(Self.fix)]}", to: "a.json")
        let path = folder.file("a.json")
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false))
        let feed = LocationFeed()
        let input = try GeoReplayInput(
            GeoReplayOptions(ReplayOptions(path: path, rate: 10_000, loops: true, timeMode: .monotonic)), feed: feed)
        let jumps = GeoEvents()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let subscription = feed.subscribe(event: { event in
            if event.error?.replayJump == .loop { jumps.add(event) }
            if jumps.all.count == 3 { continuation.finish() }
        })
        let task = Task { try await input.run(into: pipeline) }
        for await _ in stream {}
        task.cancel()
        try await task.value
        pipeline.shutdown()
        let times = sink.records.compactMap { GeoEvent($0).location?.timestamp }
        #expect(times.count >= 3 && times == times.sorted() && Set(times).count == times.count)
        withExtendedLifetime(subscription) {}
    }

    @Test func `options are read`() throws {
        let json = """
            {"file":"a.gpx","format":"gpx","rate":10,"loop":true,"start":"#3","end":"1m30s","time":"now",\
            "as_fast_as_possible":true,"paused":true,"control":"/tmp/c"}
            """
        let options = try JSONDecoder().decode(GeoReplayOptions.self, from: Data(json.utf8))
        let expected = ReplayOptions(
            path: "a.gpx", format: .gpx, rate: 10, isAsFastAsPossible: true, loops: true, start: .event(3),
            end: .elapsed(.seconds(90)), timeMode: .now, startsPaused: true)
        #expect(options == GeoReplayOptions(expected, control: "/tmp/c"))
    }

    @Test(arguments: [
        "{}", "{\"file\":\"\"}", "{\"file\":\"-\"}", "{\"file\":\"a\",\"rate\":0}",
        "{\"file\":\"a\",\"rate\":20000}", "{\"file\":\"a\",\"format\":\"xml\"}",
        "{\"file\":\"a\",\"start\":\"noon\"}", "{\"file\":\"a\",\"time\":\"later\"}",
    ])
    func `a wrong value is refused`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(GeoReplayOptions.self, from: Data(json.utf8))
        }
    }
}
