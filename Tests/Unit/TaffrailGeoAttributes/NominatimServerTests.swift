#if HTTP && Configuration
import Foundation
import Taffrail
import TaffrailConfiguration
import TaffrailGeo
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeoAttributes

/// Requests to a real server, and the options that lead to them.
@Suite(.mayBlock) struct NominatimServerTests {
    private static let pier = Coordinate(latitude: 55.7412, longitude: 12.6212)

    private static func read(_ text: String) throws -> (options: GeoAttributesOptions?, problems: [String]) {
        let registry = try PluginRegistry.withFile([GeoAttributesPlugin.self])
        do throws(ConfigurationError) {
            let plan = try Plan.read(
                text: "plugins: { file: , geo-attributes: { \(text) } }", named: "a", registry: registry,
                environment: [:])
            return (plan.plugins.lazy.compactMap { $0.plugin.options as? GeoAttributesOptions }.first, [])
        } catch {
            return (nil, error.problems.map(\.message))
        }
    }

    @Test func `a server needs its address, and an address a server`() throws {
        let options = try #require(try Self.read("geocoder: nominatim, server: 'https://names.example'").options)
        #expect(options.geocoder == .nominatim && options.server == "https://names.example")
        for (text, problem) in [
            ("geocoder: nominatim", "is needed by geocoder: nominatim"),
            ("geocoder: nominatim, server: names.example", "must start with https:// or http://"),
            ("geocoder: nominatim, server: 'https://me:secret@names.example'", "must not contain a user or password"),
            ("geocoder: offline, server: 'https://names.example'", "has no effect without geocoder: nominatim"),
        ] {
            let problems = try Self.read(text).problems
            #expect(problems.count == 1 && problems[0].contains(problem), "\(problems)")
        }
    }

    /// Looks a place up and waits for the request's end.
    private func look(_ server: FaultServer, _ reply: FaultServer.Reply) async throws -> Placemark? {
        server.reply { _ in reply }
        let options = GeoAttributesOptions(geocoder: .nominatim, server: "http://127.0.0.1:\(server.port)")
        let geocoder = try #require(try options.makeNominatim())
        #expect(geocoder.placemark(at: Self.pier) {} == nil)
        #expect(await eventually { geocoder.isIdle })
        return geocoder.placemark(at: Self.pier) {}
    }

    @Test func `names come from the server, which learns the program's name`() async throws {
        let server = try FaultServer()
        let body = "{\"address\": {\"town\": \"Harbourtown\", \"country_code\": \"dk\"}}"
        #expect(try await look(server, .answer(200, body: body))?.locality == "Harbourtown")
        let request = try #require(server.requests.first)
        #expect(
            request.line.hasPrefix("GET /reverse?format=jsonv2&") && request.line.contains("lat=55.7412&lon=12.6212"))
        #expect(request.headers["user-agent"]?.hasSuffix("(Taffrail)") == true)
    }

    @Test(arguments: [
        FaultServer.Reply.answer(429, headers: ["Retry-After": "60"]), .answer(503), .answer(404), .close,
        .answer(200, body: "<html>busy</html>"), .answer(200, body: "{\"address\": {"),
        .raw("HTTP/1.1 200 OK\r\n\r\n{"),
        .answer(302, headers: ["Location": "http://127.0.0.1:1/"]),
        .answer(200, body: String(repeating: " ", count: 1 << 20)),
    ])
    func `a server that is down, busy or wrong gives no names, and does no harm`(reply: FaultServer.Reply) async throws
    {
        let server = try FaultServer()
        #expect(try await look(server, reply) == nil)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["60", "Mon, 05 Jan 2026 14:31:00 GMT"])
    func `a server asks to be left alone for a number of seconds, or until a time`(header: String) async throws {
        let server = try FaultServer()
        server.reply { _ in
            .answer(429, headers: ["Retry-After": header, "Date": "Mon, 05 Jan 2026 14:30:00 GMT"])
        }
        let address = "http://127.0.0.1:\(server.port)"
        let answer = try await NominatimClient(address).fetch(address)
        #expect(answer.status == 429 && answer.retryAfter == .seconds(60))
    }

    @Test func `a server that is too slow gives no names, and is left alone for a while`() async throws {
        let server = try FaultServer()
        server.reply { _ in .hang }
        let (address, clock) = ("http://127.0.0.1:\(server.port)", ManualClock())
        // The first request has little time, the second one enough.
        let clients = [
            try NominatimClient(address, timeout: .milliseconds(200)),
            try NominatimClient(address, timeout: .seconds(300)),
        ]
        // Here and not at the server, to which the first one may come when it has been given up.
        let requests = Locked(0)
        let geocoder = NominatimGeocoder(address, clock: clock) { url in
            let number = requests.withLock { count in
                count += 1
                return count
            }
            return try await clients[min(number, clients.count) - 1].fetch(url)
        }
        #expect(geocoder.placemark(at: Self.pier) {} == nil)
        #expect(await eventually { geocoder.isIdle })
        server.reply { _ in .answer(200, body: "{\"address\": {\"town\": \"Harbourtown\", \"country_code\": \"dk\"}}") }
        #expect(geocoder.placemark(at: Self.pier) {} == nil)
        await clock.waitForSleepers()
        #expect(requests.withLock { $0 } == 1)
        clock.advance(by: .seconds(10))
        #expect(await eventually { geocoder.isIdle })
        #expect(geocoder.placemark(at: Self.pier) {}?.locality == "Harbourtown")
    }

    @Test func `while the server does not answer, the names are those of the database`() async throws {
        let bench = try Bench()
        var builder = GeocoderBuilder()
        builder.add(GeocoderBuilder.Place(name: "Database", coordinate: Bench.pier, country: "DK"))
        try builder.write(to: bench.folder.file("geocoder.db"))
        let server = try FaultServer()
        server.stop()
        let options = GeoAttributesOptions(
            geocoder: .nominatim, database: bench.folder.file("geocoder.db"),
            server: "http://127.0.0.1:\(server.port)")
        let names = try options.openPlaceNames()
        bench.start(options, geocoder: names.geocoder, nominatim: names.nominatim)
        bench.publish(bench.fix())
        #expect(bench.logged()?["geo.locality.name"] == "Database")
    }
}
#endif
