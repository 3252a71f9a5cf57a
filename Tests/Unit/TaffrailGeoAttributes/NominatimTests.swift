import Taffrail
import TaffrailGeo
import TaffrailPrivacy
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeoAttributes

/// Names from a server with Nominatim's API.
@Suite(.mayBlock) struct NominatimTests {
    typealias Answer = NominatimGeocoder.Response

    /// A server in the program, whose answers wait for the test.
    private final class Server: Sendable {
        let clock = ManualClock()
        let urls = Locked<[String]>([])
        let answer = Locked<Answer>(Server.names("Harbourtown"))
        let gate = Locked<Bool>(true)

        static func names(_ town: String) -> Answer {
            let address = "{\"city\": \"\(town)\", \"postcode\": \"1050\", \"country_code\": \"dk\"}"
            return Answer(status: 200, body: Array("{\"address\": \(address)}".utf8))
        }

        var geocoder: NominatimGeocoder {
            NominatimGeocoder("https://names.example/", clock: clock) { url in
                self.urls.withLock { $0.append(url) }
                #expect(await eventually { self.gate.withLock { $0 } })
                return self.answer.withLock { $0 }
            }
        }

        var requests: Int { urls.withLock { $0.count } }
    }

    private static func place(_ latitude: Double) -> Coordinate { Coordinate(latitude: latitude, longitude: -12.62123) }

    /// Looks a coordinate up until its names are known.
    private func names(of coordinate: Coordinate, _ geocoder: NominatimGeocoder) async -> Placemark? {
        let found = Locked(false)
        if let names = geocoder.placemark(at: coordinate, found: { found.withLock { $0 = true } }) { return names }
        #expect(await eventually { found.withLock { $0 } })
        return geocoder.placemark(at: coordinate) {}
    }

    @Test func `a place is asked about once, with four decimals, and its surroundings have its names for a day`()
        async throws
    {
        let server = Server()
        let geocoder = server.geocoder
        let place = Self.place(55.74123)
        #expect(await names(of: place, geocoder)?.locality == "Harbourtown")
        let query = "format=jsonv2&addressdetails=1&zoom=14&lat=55.7412&lon=-12.6212"
        #expect(server.urls.withLock { $0 } == ["https://names.example/reverse?\(query)"])
        server.clock.advance(by: .hours(24) - .seconds(1))
        #expect(geocoder.placemark(at: Self.place(55.7432)) {}?.postalCode == "1050")
        server.clock.advance(by: .seconds(1))
        #expect(geocoder.placemark(at: place) {} == nil)
        #expect(await eventually { server.requests == 2 })
    }

    @Test func `requests are at least a second apart, and only the last place is asked about`() async throws {
        let server = Server()
        let geocoder = server.geocoder
        #expect(await names(of: Self.place(1), geocoder) != nil)
        for latitude in [2.0, 3, 4] { #expect(geocoder.placemark(at: Self.place(latitude)) {} == nil) }
        await server.clock.waitForSleepers()
        server.clock.advance(by: .milliseconds(999))
        #expect(server.requests == 1)
        server.clock.advance(by: .milliseconds(1))
        #expect(await eventually { geocoder.placemark(at: Self.place(4)) {} != nil })
        #expect(server.urls.withLock { $0.map { $0.contains("lat=4.0000") } } == [false, true])
    }

    @Test func `one request runs at a time`() async throws {
        let server = Server()
        server.gate.withLock { $0 = false }
        let geocoder = server.geocoder
        #expect(geocoder.placemark(at: Self.place(1)) {} == nil)
        #expect(await eventually { server.requests == 1 })
        server.clock.advance(by: .seconds(5))
        #expect(geocoder.placemark(at: Self.place(2)) {} == nil)
        #expect(server.requests == 1)
        server.gate.withLock { $0 = true }
        #expect(await eventually { geocoder.placemark(at: Self.place(2)) {} != nil })
        #expect(server.requests == 2)
    }

    @Test func `a server that fails is left alone for longer each time, and for as long as it asks`() {
        var cells = NominatimCells()
        let cell = NominatimCells.Cell(Self.place(1))
        var now = Duration.zero
        for pause in [10, 20, 40, 80, 160, 320, 640, 1_280, 1_800, 1_800] {
            cells.begin(at: now)
            cells.end(cell, .failed(after: nil), at: now)
            #expect(cells.nextRequest == now + .seconds(pause))
            now = cells.nextRequest
        }
        cells.end(cell, .failed(after: .hours(2)), at: now)
        #expect(cells.nextRequest == now + .hours(2))
        #expect(cells.knowledge(of: cell, at: now) == nil)
        now = cells.nextRequest
        cells.begin(at: now)
        cells.end(cell, .known(.nothing), at: now)
        #expect(cells.nextRequest == now + .seconds(1))
    }

    @Test func `what has no names, and what is refused, is not asked about again soon`() {
        var cells = NominatimCells()
        let (sea, odd) = (NominatimCells.Cell(Self.place(1)), NominatimCells.Cell(Self.place(2)))
        cells.end(sea, .known(.nothing), at: .zero)
        cells.end(odd, .unusable, at: .zero)
        #expect(cells.knowledge(of: sea, at: .hours(24) - .seconds(1)) == .nothing)
        #expect(cells.knowledge(of: odd, at: .minutes(10) - .seconds(1)) == .nothing)
        #expect(cells.knowledge(of: odd, at: .minutes(10)) == nil)
        #expect(cells.nextRequest == .zero)
    }

    @Test func `the cells used least recently are forgotten first`() {
        var cells = NominatimCells()
        func cell(_ number: Int) -> NominatimCells.Cell { NominatimCells.Cell(Self.place(Double(number) / 100)) }
        for number in 0..<NominatimCells.capacity { cells.end(cell(number), .known(.nothing), at: .zero) }
        #expect(cells.knowledge(of: cell(0), at: .zero) != nil)
        cells.end(cell(NominatimCells.capacity), .known(.nothing), at: .zero)
        #expect(cells.knowledge(of: cell(0), at: .zero) != nil)
        #expect(cells.knowledge(of: cell(1), at: .zero) == nil)
    }

    // MARK: In a pipeline

    @Test func `a record has the coordinate at once, and the names when they are found`() async throws {
        let (bench, server) = (try Bench(), Server())
        server.gate.withLock { $0 = false }
        bench.start(nominatim: server.geocoder)
        bench.publish(bench.fix())
        #expect(bench.latitude == Bench.pier.latitude)
        #expect(bench.logged()?["geo.locality.name"] == nil)
        server.gate.withLock { $0 = true }
        bench.clock.advance(by: .seconds(1))
        #expect(await eventually { bench.logged()?["geo.locality.name"] == "Harbourtown" })
        #expect(bench.logged()?["geo.country.iso_code"] == "DK" && bench.latitude == Bench.pier.latitude)
    }

    @Test func `names that are found after the device has moved on are not used`() async throws {
        let (bench, server) = (try Bench(), Server())
        server.gate.withLock { $0 = false }
        bench.start(nominatim: server.geocoder)
        bench.publish(bench.fix())
        #expect(await eventually { server.requests == 1 })
        bench.clock.advance(by: .seconds(1))
        let next = bench.fix(north: 5_000)
        bench.publish(next)
        #expect(next.isAt(bench.latitude))
        server.gate.withLock { $0 = true }
        bench.clock.advance(by: .seconds(1))
        await server.clock.waitForSleepers()
        #expect(bench.logged()?["geo.locality.name"] == nil && next.isAt(bench.latitude))
        server.answer.withLock { $0 = Server.names("Nextville") }
        server.clock.advance(by: .seconds(1))
        #expect(
            await eventually {
                bench.clock.advance(by: .seconds(1))
                return bench.logged()?["geo.locality.name"] == "Nextville"
            })
    }

    @Test func `a server is not asked about what records do not contain`() async throws {
        let home = NamedPlace(name: "home", center: Bench.pier, radius: 100)
        var zones = PrivacyOptions()
        zones.zones = [PrivacyZone(center: Bench.pier, radius: 300)]
        let server = Server()
        for (bench, options) in [
            (try Bench(), GeoAttributesOptions(places: [home])),
            (try Bench(guards: [PrivacyGuard(zones)]), GeoAttributesOptions()),
        ] {
            bench.start(options, nominatim: server.geocoder)
            bench.publish(bench.fix())
            #expect(bench.latitude == nil)
            bench.clock.advance(by: .seconds(1))
            bench.publish(bench.fix(north: 100_000))
            #expect(await eventually { server.requests > 0 })
            let urls = server.urls.withLock { urls in
                defer { urls = [] }
                return urls
            }
            #expect(urls.count == 1 && urls[0].contains("lat=56.6"))
        }
    }
}
