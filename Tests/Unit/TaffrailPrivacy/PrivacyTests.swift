#if Configuration
import Foundation
import Taffrail
import TaffrailConfiguration
import TaffrailGeo
import TaffrailGeoRecorder
import TaffrailPrivacy
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailRecording

/// No place in a zone gets anywhere.
@Suite(.mayBlock) struct PrivacyTests {
    static let home = Coordinate(latitude: 55.6761271, longitude: 12.5683713)
    static let pier = Coordinate(latitude: 55.7412345, longitude: 12.6212345)

    private final class Provider: ContextProvider {
        private let slot = Locked<Pipeline.ContextSlot?>(nil)
        func publish(into slot: Pipeline.ContextSlot) { self.slot.withLock { $0 = slot } }
        func publish(_ attributes: LogAttributes) throws { try slot.withLock { $0 }?.publish(attributes) }
    }

    private static func guarding(_ action: PrivacyZone.Action, precision: Int? = nil) -> PrivacyGuard {
        var options = PrivacyOptions()
        options.zones = [PrivacyZone(center: home, radius: 300, action: action)]
        options.precision = precision
        return PrivacyGuard(options)
    }

    private static func attributes(_ place: Coordinate) -> [LogValueEntry] {
        [
            LogValueEntry("geo.location.lat", .double(place.latitude)),
            LogValueEntry("geo.location.lon", .double(place.longitude)),
            LogValueEntry("geo.locality.name", "Harbourtown"), LogValueEntry("pier", 4),
        ]
    }

    /// Whether bytes reveal a position: as binary numbers, or as text.
    private static func tell(_ bytes: [UInt8], _ place: Coordinate) -> Bool {
        let data = Data(bytes)
        return [place.latitude, place.longitude].contains { number in
            let binary = withUnsafeBytes(of: number.bitPattern.littleEndian) { Data($0) }
            // Three decimals are a street.
            let text = Data(String("\(number)".prefix(6)).utf8)
            return data.range(of: binary) != nil || data.range(of: text) != nil
        }
    }

    @Test func `a zone that drops leaves no position in any sink, and none in the ring's file`() throws {
        let folder = TemporaryDirectory()
        let (memory, gate) = (MemorySink(), GatedSink())
        let recorder = GeoRecorderSink(
            GeoRecorderOptions(RecordingOptions(directory: folder.file("recordings"))), name: "geo-recorder")
        let file = try FileSink(FileOptions(path: folder.file("app.log"), format: .json))
        let pipeline = Pipeline(
            guards: [Self.guarding(.drop)], sinks: [gate, file, recorder, memory],
            queue: QueueOptions(handleSignals: false))
        let provider = Provider()
        pipeline.add(provider)
        for place in [Self.home, Self.pier] {
            var location = Location(coordinate: place)
            location.altitude = 12
            GeoEvent.location(location).log(into: pipeline)
            let attributes = Self.attributes(place)
            pipeline.logger.log(LogRecord(level: .info, message: "record", attributes: attributes))
            pipeline.logger.info("map", ["at": .map(attributes), "list": .array([.map(attributes)])])
            pipeline.logger.with([
                "geo.location.lat": .double(place.latitude), "geo.location.lon": .double(place.longitude),
            ]).info("bound")
            try provider.publish([
                "geo.location.lat": .double(place.latitude), "geo.location.lon": .double(place.longitude),
            ])
            pipeline.logger.info("ambient")
            try provider.publish([:])
        }
        // One of the two names: the other one may come from elsewhere.
        pipeline.logger.info("half", ["geo.location.lat": .double(Self.home.latitude)])
        // While the first sink does not return, the queue keeps the records.
        let rings = (try? FileManager.default.contentsOfDirectory(atPath: folder.file(".taffrail"))) ?? []
        let ring = try #require(rings.first { $0.hasSuffix(".ring") })
        let ringBytes = try folder.bytes(".taffrail/" + ring)
        gate.open()
        pipeline.shutdown()
        var all = [ringBytes, try folder.bytes("app.log")]
        let recordings = try FileManager.default.contentsOfDirectory(atPath: folder.file("recordings"))
        for name in recordings where name.hasSuffix(".json") {
            all.append(try folder.bytes("recordings/" + name))
        }
        all.append(Array("\(memory.records)".utf8))
        #expect(all.count >= 4)
        for bytes in all {
            // The bytes would be in the message of a failure.
            let (tellsHome, tellsPier) = (Self.tell(bytes, Self.home), Self.tell(bytes, Self.pier))
            #expect(!tellsHome && tellsPier)
        }
        let records = memory.records.filter { !$0.message.hasSuffix("initialized") }
        #expect(records.filter { $0.eventName == "geo.location" }.count == 1)
        #expect(records.filter { $0.message == "record" }.map { $0["geo.locality.name"] } == [nil, "Harbourtown"])
        #expect(records.filter { $0.message == "record" }.allSatisfy { $0["pier"] == 4 })
    }

    @Test func `a zone that coarsens, and a precision, change the text of a position too`() throws {
        let memory = MemorySink()
        let pipeline = Pipeline(
            guards: [Self.guarding(.coarsen, precision: 3)], sinks: [memory],
            queue: QueueOptions(durable: false, handleSignals: false))
        for place in [Self.home, Self.pier] {
            var location = Location(coordinate: place)
            location.speed = 3
            GeoEvent.location(location).log(into: pipeline)
        }
        pipeline.shutdown()
        let records = memory.records.filter { $0.eventName == "geo.location" }
        #expect(records.count == 2)
        #expect(!Self.tell(Array("\(records)".utf8), Self.home))
        #expect(records.first?["taffrail.geo.horizontal_accuracy"] == .double(450))
        #expect(records.first?["taffrail.geo.speed"] == nil && records.first?["taffrail.geo.time"] != nil)
        #expect(records.last?["geo.location.lat"] == 55.741 && records.last?["geo.location.lon"] == 12.621)
        #expect(records.last?.message.hasPrefix("55.741000, 12.621000 ") == true)
        #expect(records.last?["taffrail.geo.speed"] == .double(3))
    }

    // MARK: The configuration

    private static func read(_ text: String, _ plugins: [any Plugin.Type] = [PrivacyPlugin.self]) throws -> Plan {
        try Plan.read(
            text: text, named: "a.yaml", registry: PluginRegistry(plugins + [FilePlugin.self]), environment: [:])
    }

    @Test func `zones are read with places of the list, and with circles of their own`() throws {
        let plan = try Self.read(
            """
            privacy: { zones: [{ place: home }, { latitude: 3, longitude: 4, radius: 5, action: coarsen }], precision: 4 }
            places: [{ name: home, latitude: 1, longitude: 2, radius: 300 }]
            """)
        var expected = PrivacyOptions()
        expected.zones = [
            PrivacyZone(center: Coordinate(latitude: 1, longitude: 2), radius: 300),
            PrivacyZone(center: Coordinate(latitude: 3, longitude: 4), radius: 5, action: .coarsen),
        ]
        expected.precision = 4
        #expect(plan.guards.count == 1 && plan.guards.first?.plugin.options as? PrivacyOptions == expected)
    }

    @Test(arguments: [
        ("privacy: {}", "1:1: privacy: needs \"zones\" or \"precision\""),
        (
            "privacy: { zones: [{ place: home }] }",
            "1:29: privacy.zones[0].place: \"home\" needs a list \"places\" at the top of the configuration"
        ),
        (
            "places: [{ name: quay, latitude: 1, longitude: 2, radius: 3 }]\nprivacy: { zones: [{ place: home }] }",
            "2:29: privacy.zones[0].place: no place is named \"home\"; known places: quay"
        ),
        (
            "places: [{ name: home, latitude: 91, longitude: 2, radius: 3 }]\nprivacy: { zones: [{ place: home }] }",
            "1:34: places[0].latitude: must be from -90 to 90, not 91.0"
        ),
        (
            "places: [{ name: a, latitude: 1, longitude: 2, radius: 3 }]\n"
                + "privacy: { zones: [{ place: a, radius: 5 }] }",
            "2:40: privacy.zones[0].radius: a zone has either a place or a circle"
        ),
        ("plugins: { privacy: }", "1:12: \"privacy\" is a top-level key of the configuration"),
        (
            "privacy: { precision: 3, zone: [] }",
            "1:26: unknown key \"zone\" in privacy; did you mean \"zones\"? known keys: precision, zones"
        ),
    ]) func `a mistake is reported with its location`(text: String, message: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try Self.read(text) }
        #expect(error?.problems.map(\.description) == ["a.yaml:\(message)"])
    }

    @Test func `a program without the plugin refuses the key`() {
        let error = #expect(throws: ConfigurationError.self) { try Self.read("privacy: { precision: 3 }", []) }
        #expect(
            error?.description
                == "a.yaml:1:1: \"privacy\" is not known to this program; it comes with product TaffrailPrivacy and is "
                + "added by PrivacyPlugin in the list of plugins")
    }
}
#endif
