import Taffrail
import TaffrailGeo
import TaffrailPrivacy
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeoAttributes

/// Options that are set in code, where nothing rejects them, and names under `privacy`.
@Suite(.mayBlock) struct GeoAttributesOptionsTests {
    @Test func `values out of range count as the nearest ones within`() {
        func ages(_ refresh: Duration, _ maxAge: Duration? = nil) -> [Duration] {
            let options = GeoAttributesOptions(refresh: refresh, maxAge: maxAge)
            return [options.usedRefresh, options.usedMaxAge]
        }
        #expect(ages(.zero) == [.seconds(1), .seconds(2)])
        #expect(ages(.seconds(-1), .zero) == [.seconds(1), .seconds(1)])
        #expect(ages(.seconds(Int64.max)) == [.hours(168), .hours(336)])
        #expect(ages(.minutes(3), .seconds(Int64.max)) == [.minutes(3), .hours(336)])
    }

    @Test func `a fix is not requested without a pause, however short refresh is`() async throws {
        let bench = try Bench()
        bench.start(GeoAttributesOptions(refresh: .zero))
        for half in 1...4 {
            await bench.clock.waitForSleepers()
            #expect(bench.requests == half)
            bench.clock.advance(by: .milliseconds(500))
            #expect(await eventually { bench.requests == half + 1 })
        }
    }

    @Test func `names tell no more than the coordinates that records have`() throws {
        let rounded = Coordinate(latitude: 55.7, longitude: 12.6)
        var builder = GeocoderBuilder()
        let ring = [(55.0, 12.0), (55, 13), (55.8, 13), (55.8, 12)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
        builder.add(GeocoderBuilder.Boundary(country: "DK", rings: [ring]))
        for (town, code, coordinate) in [("Harbourtown", "1050", Bench.pier), ("Nextville", "2300", rounded)] {
            builder.add(GeocoderBuilder.Place(name: town, coordinate: coordinate, country: "DK"))
            builder.add(GeocoderBuilder.PostalCode(code: code, coordinate: coordinate, country: "DK"))
        }
        for (precision, town, code) in [(nil, "Harbourtown", "1050"), (1, "Nextville", "2300")]
            as [(Int?, String, String)]
        {
            var privacy = PrivacyOptions()
            privacy.precision = precision
            let bench = try Bench(guards: [PrivacyGuard(privacy)])
            try builder.write(to: bench.folder.file("geocoder.db"))
            bench.start(geocoder: try OfflineGeocoder(path: bench.folder.file("geocoder.db")))
            bench.publish(bench.fix())
            let record = try #require(bench.logged())
            #expect(record["geo.locality.name"] == .string(town) && record["geo.postal_code"] == .string(code))
            #expect((record["geo.location.lat"] == .double(rounded.latitude)) == (precision != nil))
        }
    }
}
