import Foundation
import Taffrail
import TaffrailGeo
import TaffrailGeoTesting
import TaffrailLocationManager
import TaffrailPrivacy
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeoAttributes

/// What records have of a fix, and from when to when.
@Suite(.mayBlock) struct GeoAttributesContextTests {
    /// OpenTelemetry's attributes of places, all of them.
    static let names: Set<String> = [
        "geo.location.lat", "geo.location.lon", "geo.country.iso_code", "geo.region.iso_code", "geo.locality.name",
        "geo.postal_code", "geo.continent.code",
    ]

    /// Where PyPI's opentelemetry-semantic-conventions has them, as `.ci/otlp-tools` installs it.
    private static let conventions: String? = {
        let libraries = Repository.root.appending(path: ".build-otlp/lib").path
        return (try? FileManager.default.contentsOfDirectory(atPath: libraries))?.lazy
            .map {
                "\(libraries)/\($0)/site-packages/opentelemetry/semconv/_incubating/attributes/geo_attributes.py"
            }
            .first { FileManager.default.fileExists(atPath: $0) }
    }()

    @Test(.enabled(if: GeoAttributesContextTests.conventions != nil, "run .ci/otlp-tools, which needs PyPI"))
    func `the attributes of places are those of OpenTelemetry's conventions, all of them`() throws {
        let text = try String(contentsOfFile: try #require(Self.conventions), encoding: .utf8)
        let names = text.matches(of: /^GEO_[A-Z_]+: Final = "([a-z._]+)"/.anchorsMatchLineEndings()).map {
            String($0.output.1)
        }
        #expect(names.count == 7 && Set(names) == Self.names)
    }

    @Test func `a record has the last fix, its time, its accuracy and its receiver`() throws {
        let bench = try Bench()
        bench.start()
        #expect(!bench.isLocated)
        var fix = bench.fix()
        fix.extra.device = "/dev/ttyACM0"
        bench.publish(fix)
        let record = try #require(bench.logged())
        #expect(
            record.attributes == [
                LogValueEntry("geo.location.lat", .double(Bench.pier.latitude)),
                LogValueEntry("geo.location.lon", .double(Bench.pier.longitude)),
                LogValueEntry("taffrail.geo.time", .date(bench.clock.now.timestamp)),
                LogValueEntry("taffrail.geo.horizontal_accuracy", 4.5),
                LogValueEntry("taffrail.geo.device", "/dev/ttyACM0"),
            ])
        #expect(record.attributes.filter { $0.key.hasPrefix("geo.") }.allSatisfy { Self.names.contains($0.key) })
    }

    @Test func `a simulated fix is marked`() throws {
        let bench = try Bench()
        bench.start()
        bench.publish(bench.fix().simulated())
        #expect(bench.logged()?["taffrail.geo.simulated"] == true)
    }

    @Test func `a record has the names of the place, if known`() throws {
        var builder = GeocoderBuilder()
        let ring = [(55.0, 12.0), (55, 13), (55.8, 13), (55.8, 12)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
        builder.add(GeocoderBuilder.Boundary(country: "DK", region: "DK-84", rings: [ring]))
        builder.add(GeocoderBuilder.Place(name: "Harbourtown", coordinate: Bench.pier, country: "DK"))
        builder.add(GeocoderBuilder.PostalCode(code: "1050", coordinate: Bench.pier, country: "DK"))
        let bench = try Bench()
        try builder.write(to: bench.folder.file("geocoder.db"))
        let geocoder = try OfflineGeocoder(path: bench.folder.file("geocoder.db"))
        let home = NamedPlace(name: "home", center: Coordinate(latitude: 55.2, longitude: 12.2), radius: 100)
        let running = bench.start(GeoAttributesOptions(places: [home]), geocoder: geocoder)
        bench.publish(bench.fix())
        let named = try #require(bench.logged())
        let names = named.attributes.filter { Self.names.contains($0.key) && !$0.key.hasPrefix("geo.location.") }
        #expect(names.map(\.key).sorted() == Self.names.filter { !$0.hasPrefix("geo.location.") }.sorted())
        #expect(names.map(\.value) == ["DK", "DK-84", "Harbourtown", "1050", "EU"])
        // At sea, and in a place with its own name.
        for (coordinate, count) in [(Coordinate(latitude: 57, longitude: 3), 2), (home.center, 0)] {
            bench.clock.advance(by: .seconds(1))
            bench.publish(Location(coordinate: coordinate))
            let names = bench.logged()?.attributes.filter { Self.names.contains($0.key) }
            #expect(names?.count == count)
        }
        running.endContexts()
        #expect(!bench.folder.text(Self.file).contains("Harbourtown"))
    }

    @Test func `moves of less than ten metres change nothing, longer ones at most once a second`() async throws {
        let bench = try Bench()
        bench.start()
        let fixes = [0.0, 9.9, 10.1, 30].map { bench.fix(north: $0) }
        bench.publish(fixes[0])
        bench.publish(fixes[1])
        bench.clock.advance(by: .seconds(30))
        #expect(fixes[0].isAt(bench.latitude))
        bench.publish(fixes[2])
        #expect(fixes[2].isAt(bench.latitude))
        bench.clock.advance(by: .milliseconds(900))
        bench.publish(fixes[3])
        #expect(fixes[2].isAt(bench.latitude))
        bench.clock.advance(by: .milliseconds(100))
        #expect(await eventually { fixes[3].isAt(bench.latitude) })
    }

    @Test func `a fix that has not moved is published for its time now and then`() throws {
        let bench = try Bench()
        bench.start()
        bench.publish(bench.fix())
        let first = bench.clock.now.timestamp
        bench.clock.advance(by: .seconds(59))
        bench.publish(bench.fix())
        #expect(bench.logged()?["taffrail.geo.time"] == .date(first))
        bench.clock.advance(by: .seconds(1))
        bench.publish(bench.fix())
        #expect(bench.logged()?["taffrail.geo.time"] == .date(bench.clock.now.timestamp))
    }

    @Test func `a fix that is too old is removed, though nothing happens`() async throws {
        let bench = try Bench()
        bench.start(GeoAttributesOptions(refresh: .minutes(10)))
        bench.publish(bench.fix())
        bench.clock.advance(by: .minutes(20) - .milliseconds(1))
        #expect(bench.isLocated)
        bench.clock.advance(by: .milliseconds(1))
        #expect(await eventually { !bench.isLocated })
        bench.publish(bench.fix(north: 5))
        bench.clock.advance(by: .seconds(1))
        #expect(await eventually { bench.isLocated })
    }

    @Test func `a fix counts from when it came, so that a replay has one of another year`() throws {
        let bench = try Bench()
        bench.start()
        var old = bench.fix()
        old.timestamp = Timestamp(nanoseconds: 1_136_073_600_000_000_000)
        bench.publish(old)
        #expect(bench.logged()?["taffrail.geo.time"] == .date(old.timestamp))
    }

    @Test func `an invalid coordinate is never published`() throws {
        let bench = try Bench()
        bench.start()
        for (latitude, longitude) in [(Double.nan, 1), (91, 1), (1, 181), (1, .infinity)] {
            bench.publish(Location(latitude: latitude, longitude: longitude))
            #expect(!bench.isLocated)
        }
    }

    @Test func `an answer to a request does not replace a fix that arrived after the request`() {
        func fix(_ latitude: Double, _ arrival: Duration, _ origin: FixCache.Origin) -> FixCache.Fix {
            FixCache.Fix(location: Location(latitude: latitude, longitude: 0), arrival: arrival, origin: origin)
        }
        var cache = FixCache(refresh: .minutes(10), maxAge: .minutes(20))
        let isFirst = cache.takeRequest(at: .zero)
        #expect(isFirst)
        let newer = fix(2, .seconds(1), .inputs)
        cache.take(newer)
        cache.take(fix(1, .seconds(2), .request))
        #expect(cache.fix == newer)
        // No fix for a while: now the answer is the newer one.
        let isSecond = cache.takeRequest(at: .minutes(11))
        #expect(isSecond)
        let answer = fix(3, .minutes(12), .request)
        cache.take(answer)
        #expect(cache.fix == answer)
    }

    // MARK: Records that get none

    @Test func `a record with its own part of a position gets nothing of another`() throws {
        let bench = try Bench()
        bench.start()
        bench.publish(bench.fix())
        let logger = bench.pipeline.logger
        logger.info("half", ["geo.location.lat": 1.0])
        logger.with(["geo.country.iso_code": "DK"]).info("bound")
        bench.pipeline.drain()
        #expect(bench.sink.records.suffix(2).map(\.attributes.count) == [1, 1])
        logger.info("other", ["geography": "no"])
        bench.pipeline.drain()
        #expect(bench.sink.records.last?["geo.location.lon"] == .double(Bench.pier.longitude))
    }

    @Test func `positions, replayed and received records get nothing`() throws {
        let bench = try Bench()
        bench.start()
        bench.publish(bench.fix())
        var other = bench.fix(north: 4_000)
        other.horizontalAccuracy = nil
        GeoEvent.location(other).log(into: bench.pipeline)
        GeoEvent.location(other).log(into: bench.pipeline, isReplayed: true)
        GeoEvent.error(.locationUnknown("no fix")).log(into: bench.pipeline, isReplayed: true)
        GeoEvent.log(LogRecord(level: .info, message: "replayed")).log(into: bench.pipeline)
        bench.pipeline.log(received: LogRecord(level: .info, message: "received", logger: "far"))
        bench.pipeline.logger.log(LogRecord(level: .info, message: "imported"), ambient: false)
        bench.pipeline.drain()
        let records = bench.sink.records.suffix(6)
        #expect(records.count == 6)
        #expect(records.prefix(2).allSatisfy { $0["geo.location.lat"] == .double(other.coordinate.latitude) })
        #expect(records.allSatisfy { $0["taffrail.geo.horizontal_accuracy"] == nil })
        #expect(records.dropFirst(2).allSatisfy { $0["geo.location.lat"] == nil && $0["taffrail.geo.time"] == nil })
        // A received position is another device's.
        bench.pipeline.log(
            received: LogRecord(
                level: .info, message: "", eventName: "geo.location", attributes: other.attributes, logger: "far"))
        bench.clock.advance(by: .seconds(2))
        #expect(bench.latitude == Bench.pier.latitude)
    }

    // MARK: Permission and background

    @Test func `without authorization there are no attributes, and the file is deleted`() async throws {
        let bench = try Bench()
        bench.start()
        bench.publish(bench.fix())
        #expect(bench.isLocated)
        #expect(await eventually { !bench.folder.text(Self.file).isEmpty })
        bench.feed.setAuthorization(.denied)
        #expect(!bench.isLocated)
        #expect(await eventually { bench.folder.text(Self.file).isEmpty })
        bench.publish(bench.fix(north: 50))
        #expect(!bench.isLocated)
        bench.feed.setAuthorization(.authorizedAlways)
        bench.clock.advance(by: .seconds(1))
        bench.publish(bench.fix(north: 50))
        #expect(bench.isLocated)
    }

    @Test func `permission while in use ends in the background`() async throws {
        let bench = try Bench()
        bench.start()
        bench.feed.setAuthorization(.authorizedWhenInUse)
        bench.publish(bench.fix())
        #expect(bench.isLocated)
        bench.application.enterBackground()
        #expect(!bench.isLocated)
        bench.publish(bench.fix(north: 50))
        #expect(!bench.isLocated)
        bench.clock.advance(by: .seconds(1))
        bench.application.enterForeground()
        #expect(bench.isLocated)
    }

    @Test func `in the background nothing is requested, and the last fix expires`() async throws {
        let bench = try Bench()
        bench.application.enterBackground()
        bench.start(GeoAttributesOptions(refresh: .minutes(10)))
        #expect(bench.requests == 0)
        bench.publish(bench.fix())
        #expect(bench.isLocated)
        for _ in 0..<20 {
            await bench.clock.waitForSleepers()
            bench.clock.advance(by: .minutes(1))
        }
        #expect(await eventually { !bench.isLocated })
        #expect(bench.requests == 0)
        bench.application.enterForeground()
        #expect(bench.requests == 1)
    }

    // MARK: Requests

    @Test func `a fix is requested if none arrived within refresh, and again after half of it`() async throws {
        let bench = try Bench()
        bench.start(GeoAttributesOptions(refresh: .minutes(10)))
        #expect(bench.requests == 1)
        let first = try #require(bench.asked.withLock { $0.first })
        #expect(first.wantedAccuracy == LocationAccuracy.hundredMeters)
        for minute in 1...5 {
            #expect(bench.requests == 1, "minute \(minute)")
            await bench.clock.waitForSleepers()
            bench.clock.advance(by: .minutes(1))
        }
        #expect(await eventually { bench.requests == 2 })
        let second = try #require(bench.asked.withLock { $0.last })
        // It is asked a little later than it is made.
        #expect(await eventually { second.isRunning })
        second.send(bench.fix())
        #expect(await eventually { bench.isLocated })
        // It is enough for all of refresh.
        for _ in 0..<10 {
            await bench.clock.waitForSleepers()
            #expect(bench.requests == 2)
            bench.clock.advance(by: .minutes(1))
        }
        #expect(await eventually { bench.requests == 3 })
    }

    @Test func `nothing is requested as long as inputs have fixes`() async throws {
        let bench = try Bench()
        bench.publish(bench.fix())
        bench.start(GeoAttributesOptions(refresh: .minutes(2)))
        for minute in 1...10 {
            bench.publish(bench.fix(north: Double(minute) * 100))
            await bench.clock.waitForSleepers()
            bench.clock.advance(by: .minutes(1))
        }
        // The one before the first fix.
        #expect(bench.requests == 1)
    }

    @Test func `a source that refuses a request has nothing published`() async throws {
        let bench = try Bench()
        bench.start(grants: .denied)
        let manager = try #require(bench.asked.withLock { $0.first })
        #expect(await eventually { !manager.isRunning })
        manager.send(bench.fix())
        #expect(!bench.isLocated)
    }

    static let file = ".taffrail/geo-attributes.json"
}
