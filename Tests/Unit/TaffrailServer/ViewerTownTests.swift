import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailGeo
@testable import TaffrailServer

/// `GET /towns`.
@Suite struct ViewerTownTests {
    private static func get(_ box: String, _ towns: MapTowns?) async throws -> ServerAnswer {
        let request = ServerRequest("GET", try #require(ServerTarget("/towns?box=\(box)")), headers: [])
        let answer = await Viewer(libraries: "/nonexistent", towns: towns).route(request)?.answer(request)
        return try #require(answer)
    }

    private static func towns(_ folder: TemporaryDirectory) throws -> MapTowns {
        var builder = GeocoderBuilder()
        builder.notes = "Made up\nand longer"
        builder.add(
            GeocoderBuilder.Place(
                name: "<b>\"Port\"</b>", coordinate: Coordinate(latitude: 55.5, longitude: 12.5), country: "DK",
                population: 7))
        try builder.write(to: folder.file("geocoder.db"))
        return MapTowns(try OfflineGeocoder(path: folder.file("geocoder.db")))
    }

    private struct Answer: Decodable {
        struct Town: Decodable, Equatable { var name: String, lat: Double, lon: Double }
        var towns: [Town], attribution: String
    }

    @Test func `towns of a box have names and places, and the origin of the data`() async throws {
        let towns = try Self.towns(TemporaryDirectory())
        let answer = try await Self.get("55,12,56,13", towns)
        #expect(answer.status == 200 && answer.header("content-type") == "application/json")
        let content = try JSONDecoder().decode(Answer.self, from: Data(answer.body))
        #expect(content.towns == [.init(name: "<b>\"Port\"</b>", lat: 55.5, lon: 12.5)])
        #expect(content.attribution == "Made up")
        let other = try JSONDecoder().decode(Answer.self, from: Data(try await Self.get("0,12,1,13", towns).body))
        #expect(other.towns.isEmpty)
    }

    @Test func `without a database there are none, and that is no error`() async throws {
        let answer = try await Self.get("55,12,56,13", nil)
        #expect(answer.status == 200)
        let content = try JSONDecoder().decode(Answer.self, from: Data(answer.body))
        #expect(content.towns.isEmpty && content.attribution.isEmpty)
    }

    @Test(arguments: [
        "", "1,2,3", "1,2,3,x", "2,0,1,1", "nan,0,1,1", "-91,0,1,1", "0,0,1,181", "1,2,3,4,5", "0x1p3,0,60,1",
    ])
    func `a box that is none is refused`(box: String) async throws {
        let answer = try await Self.get(box, Self.towns(TemporaryDirectory()))
        #expect(answer.status == 400 && String(decoding: answer.body, as: UTF8.self).contains("south, west, north"))
    }
}
