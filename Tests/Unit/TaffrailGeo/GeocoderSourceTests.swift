import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

/// What a geocoder's database is made of, as others publish it.
@Suite struct GeocoderSourceTests {
    private static let countries = """
        {"3166-1":[{"alpha_2":"FR","alpha_3":"FRA"},{"alpha_2":"GF","alpha_3":"GUF"},{"alpha_2":"GB","alpha_3":"GBR"}]}
        """
    private static let subdivisions = """
        {"3166-2":[
          {"code":"FR-IDF","name":"Île-de-France","type":"Metropolitan region"},
          {"code":"FR-75C","name":"Paris","parent":"IDF","type":"Metropolitan collectivity"},
          {"code":"FR-BRE","name":"Bretagne"},{"code":"FR-29","name":"Finistère","parent":"FR-BRE"},
          {"code":"GB-ENG","name":"England"},{"code":"GB-SCT","name":"Scotland"},
          {"code":"GB-WSM","name":"Westminster, City of","parent":"ENG"},
          {"code":"GB-AAA","name":"Twin","parent":"ENG"},{"code":"GB-BBB","name":"Twin","parent":"SCT"}]}
        """

    private static func codes() throws -> (ISOCodes, TemporaryDirectory) {
        let folder = TemporaryDirectory()
        try folder.write(countries, to: "1.json")
        try folder.write(subdivisions, to: "2.json")
        var codes = ISOCodes()
        try codes.read(countries: FileSource(path: folder.file("1.json")))
        try codes.read(subdivisions: FileSource(path: folder.file("2.json")))
        return (codes, folder)
    }

    @Test func `a region is the highest one above that of a name`() throws {
        let (codes, _) = try Self.codes()
        #expect(codes.region(of: "FR", named: ["Paris"]) == "FR-IDF")
        #expect(codes.region(of: "FR", named: ["Departement du Finistere", "FINISTERE"]) == "FR-BRE")
        #expect(codes.region(of: "GB", named: ["City of Westminster"]) == "GB-ENG")
        #expect(codes.topLevel(of: "FR-75C") == "FR-IDF" && codes.topLevel(of: "FR-99") == nil)
    }

    @Test func `an ambiguous name gives no code rather than a wrong one`() throws {
        let (codes, _) = try Self.codes()
        #expect(codes.region(of: "GB", named: ["Twin"]) == nil)
        #expect(codes.region(of: "GB", named: ["Paris"]) == nil && codes.region(of: "XX", named: ["Paris"]) == nil)
        #expect(codes.country("GUF") == "GF" && codes.country("GF") == "GF" && codes.country("-1") == nil)
    }

    @Test func `boundaries have the code of the territory, and the region of their names`() throws {
        let (codes, folder) = try Self.codes()
        func feature(_ properties: String, _ coordinates: String, _ type: String = "Polygon") -> String {
            """
            {"type":"Feature","properties":\(properties),"geometry":{"type":"\(type)","coordinates":\(coordinates)}}
            """
        }
        let ring = "[[0,0],[1,0],[1,1],[0,0]]"
        try folder.write(
            """
            {"type":"FeatureCollection","name":"states","features":[
            \(feature(#"{"iso_a2":"FR","gu_a3":"GUF","adm0_a3":"FRA","name":"Guyane"}"#, "[\(ring)]")),
            \(feature(#"{"ISO_A2":"FR","gu_a3":"FXX","name":"?","woe_name":"Paris"}"#, "[[\(ring),\(ring)],[\(ring)]]", "MultiPolygon")),
            \(feature(#"{"iso_a2":"-1"}"#, "[\(ring)]")),
            \(feature(#"{"country":"FR","region":"FR-29"}"#, "[\(ring)]"))
            ]}
            """, to: "states.geojson")
        var reader = BoundaryReader(codes)
        var found: [GeocoderBuilder.Boundary] = []
        try reader.read(FileSource(path: folder.file("states.geojson"))) { found.append($0) }
        #expect(found.map(\.country) == ["GF", "FR", "FR"])
        #expect(found.map(\.region) == [nil, "FR-IDF", "FR-BRE"])
        #expect(found.map(\.rings.count) == [1, 3, 1] && found[0].rings[0][1] == Coordinate(latitude: 0, longitude: 1))
        #expect(reader.counts.features == 4 && reader.counts.withoutCountry == 1 && reader.counts.withoutRegion == 1)
    }

    @Test(arguments: ["", "[]", "{\"features\":{}}", "{\"features\":[1]}", "{\"features\":[{\"geometry\":"])
    func `a file that is not GeoJSON is reported`(text: String) throws {
        let (codes, folder) = try Self.codes()
        try folder.write(text, to: "x")
        #expect(throws: ReadError.self) {
            var reader = BoundaryReader(codes)
            try reader.read(FileSource(path: folder.file("x"))) { _ in }
        }
    }

    @Test func `tables of places and postal codes are read, and other lines are counted`() throws {
        let folder = TemporaryDirectory()
        func line(_ name: String, _ latitude: String, _ kind: String, _ country: String) -> String {
            "1\t\(name)\t\(name)\t\t\(latitude)\t12.5\tP\t\(kind)\t\(country)\t\t84\t\t\t\t1153615\t\t14\tEurope/Copenhagen\t2026-01-01"
        }
        try folder.write(
            [
                "# a comment", line("København", "55.67594", "PPLC", "DK"), line("Vesterbro", "55.66", "PPLX", "DK"),
                line("Nowhere", "north", "PPL", "DK"), line("", "1", "PPL", "DK"), "short\tline", "",
            ].joined(separator: "\n"), to: "cities.txt")
        var places: [GeocoderBuilder.Place] = []
        let unread = try GeoNamesReader.places(FileSource(path: folder.file("cities.txt"))) { places.append($0) }
        #expect(unread == 3 && places.map(\.name) == ["København"])
        #expect(places.first?.population == 1_153_615 && places.first?.timeZone == "Europe/Copenhagen")
        #expect(places.first?.region == nil)
        try folder.write(
            "DK\t1050\tKøbenhavn K\t\t\t\t\t\t\t55.68\t12.58\t6\nDK\t\tx\t\t\t\t\t\t\t1\t2\t\n", to: "codes.txt")
        var codes: [GeocoderBuilder.PostalCode] = []
        #expect(try GeoNamesReader.codes(FileSource(path: folder.file("codes.txt"))) { codes.append($0) } == 1)
        #expect(codes.map(\.code) == ["1050"] && codes.first?.coordinate.latitude == 55.68)
    }

    @Test func `places have the regions that GeoNames names, by the codes of ISO 3166-2`() throws {
        let (codes, folder) = try Self.codes()
        try folder.write(
            [
                "# a comment", "FR.11\tÎle-de-France\tIle-de-France\t3012874", "FR.53\tBrittany\tBretagne\t3030293",
                "GB.TWN\tTwin\tTwin\t1", "GB.ENG\tEngland\tEngland\t6269131", "FRANCE\tx\tx\t1", "short",
            ].joined(separator: "\n"), to: "admin1.txt")
        var regions: [String: String] = [:]
        let unread = try GeoNamesReader.regions(FileSource(path: folder.file("admin1.txt")), codes, into: &regions)
        // One name is ambiguous.
        #expect(unread == 2 && regions == ["FR.11": "FR-IDF", "FR.53": "FR-BRE", "GB.ENG": "GB-ENG"])
        func line(_ name: String, _ country: String, _ region: String) -> String {
            "1\t\(name)\t\(name)\t\t48.8\t2.3\tP\tPPL\t\(country)\t\t\(region)\t\t\t\t900\t\t14\tEurope/Paris\t2026-01-01"
        }
        try folder.write(
            [
                line("Paris", "FR", "11"), line("Nowhere", "FR", "99"), line("Anywhere", "FR", ""),
                line("Abroad", "GB", "11"),
            ].joined(separator: "\n"), to: "cities.txt")
        var places: [GeocoderBuilder.Place] = []
        #expect(
            try GeoNamesReader.places(FileSource(path: folder.file("cities.txt")), regions: regions) {
                places.append($0)
            } == 0)
        #expect(places.map(\.region) == ["FR-IDF", nil, nil, nil])
    }
}
