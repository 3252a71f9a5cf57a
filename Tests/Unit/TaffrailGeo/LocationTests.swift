import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo

@Suite struct LocationTests {
    @Test func `a location reads back from the record it becomes`() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<1_000 {
            var location = Location.random(&generator)
            location.extra.uptime = .random(in: 0...Int64.max, using: &generator)
            let record = GeoEvent.location(location).record()
            #expect(record.eventName == "geo.location")
            #expect(GeoEvent(record) == .location(location))
            #expect(Location(attributes: record.attributes.shuffled(), received: .now) == location)
        }
    }

    @Test func `only OpenTelemetry's names are outside taffrail`() {
        let known = ["geo.location.lat", "geo.location.lon"]
        let keys = LocationField.allCases.map(\.attribute)
        #expect(Set(keys).count == keys.count)
        for key in keys {
            #expect(known.contains(key) || key.hasPrefix("taffrail.geo."), "\(key)")
        }
    }

    @Test func `an error reads back from the record it becomes`() {
        let error = GeoError.denied("Location services denied")
        let record = GeoEvent.error(error).record()
        #expect(record.eventName == "geo.error")
        #expect(record[GeoAttributes.errorDomain] == .string("kCLErrorDomain"))
        #expect(record[GeoAttributes.errorCode] == .int(1))
        #expect(record.level == .warning)
        #expect(GeoEvent(record) == .error(error))
        #expect(error.knownCode == .denied)
        #expect(GeoError(domain: "other", code: 0, description: "").knownCode == nil)
    }

    @Test func `an error keeps its receiver in a record`() {
        let error = GeoError.locationUnknown("no fix from /dev/b", device: "/dev/b")
        let record = GeoEvent.error(error).record()
        #expect(record["taffrail.geo.device"] == .string("/dev/b"))
        #expect(GeoEvent(record) == .error(error))
    }

    @Test func `a record that is not a position stays a log record`() {
        let record = LogRecord(level: .info, message: "left pier", attributes: [LogValueEntry("geo.location.lat", 91)])
        #expect(GeoEvent(record) == .log(record))
        let half = LogRecord(
            level: .info, message: "", eventName: "geo.location",
            attributes: [LogValueEntry("geo.location.lat", 10)])
        #expect(GeoEvent(half) == .log(half))
    }

    @Test func `the first of several equal attributes counts`() {
        let attributes = [
            LogValueEntry("geo.location.lat", 10), LogValueEntry("taffrail.geo.speed", 3),
            LogValueEntry("geo.location.lon", 20), LogValueEntry("taffrail.geo.speed", 4),
            LogValueEntry("geo.location.lat", 11),
        ]
        let location = Location(attributes: attributes, received: .now)
        #expect(location?.coordinate == Coordinate(latitude: 10, longitude: 20) && location?.speed == 3)
    }

    @Test func `values that are not numbers are omitted from a record`() {
        var location = Location(latitude: 1, longitude: 2)
        location.speed = .nan
        location.altitude = .infinity
        #expect(!location.attributes.contains { $0.key.hasSuffix("speed") || $0.key.hasSuffix("altitude") })
    }

    @Test func `CoreLocation's conventions mark missing values`() {
        let bare = Location(latitude: 1, longitude: 2).coreLocationFields
        #expect(bare.course == -1 && bare.courseAccuracy == -1 && bare.speed == -1 && bare.speedAccuracy == -1)
        #expect(bare.verticalAccuracy == -1)
        // A good position of unknown accuracy must not look invalid.
        #expect(bare.horizontalAccuracy == 1_000)
        var exact = Location(latitude: 1, longitude: 2)
        exact.altitude = 3
        exact.verticalAccuracy = 0
        exact.horizontalAccuracy = 0
        #expect(exact.coreLocationFields.verticalAccuracy > 0)
        #expect(exact.coreLocationFields.horizontalAccuracy == 0)
    }

    @Test func `an invalid speed does not make a position invalid, an invalid position does`() throws {
        var fields = Location(latitude: 1, longitude: 2).coreLocationFields
        fields.horizontalAccuracy = 5
        fields.course = 0
        fields.courseAccuracy = 1
        let location = try #require(Location(fields))
        #expect(location.speed == nil && location.altitude == nil && location.horizontalAccuracy == 5)
        #expect(location.course == 0)
        fields.courseAccuracy = -1
        #expect(Location(fields)?.course == nil)
        fields.horizontalAccuracy = -1
        #expect(Location(fields) == nil)
    }

    @Test func `the summary is one short line`() {
        var location = Location(latitude: 55.7558, longitude: -37.6173)
        location.horizontalAccuracy = 10
        location.speed = 1.5
        #expect(location.summary == "55.755800, -37.617300 ±10.0 m 1.5 m/s")
    }
}
