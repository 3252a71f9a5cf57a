#if Command
import Foundation
import TaffrailTestSupport
import Testing

/// `taffrail geocoder`, with data that is made up.
@Suite(.mayBlock) struct GeocoderCommandTests {
    private static func build() throws -> TemporaryDirectory {
        let folder = TemporaryDirectory()
        try folder.write(#"{"3166-1":[{"alpha_2":"DK","alpha_3":"DNK"}]}"#, to: "iso_3166-1.json")
        try folder.write(#"{"3166-2":[{"code":"DK-84","name":"Hovedstaden"}]}"#, to: "iso_3166-2.json")
        try folder.write(
            """
            {"features":[{"properties":{"adm0_a3":"DNK","name":"Hovedstaden"},"geometry":{"type":"Polygon",
            "coordinates":[[[12,55],[13,55],[13,56],[12,56],[12,55]]]}},{"properties":{},"geometry":null}]}
            """, to: "states.geojson")
        let fields =
            ["1", "Harbourtown", "", "", "55.68", "12.57", "P", "PPL", "DK"] + [String](repeating: "", count: 5)
        try folder.write((fields + ["900", "", "", "Europe/Copenhagen"]).joined(separator: "\t"), to: "cities.txt")
        try folder.write("Made up, no attribution required.\n", to: "NOTICE")
        let result = try Program.run([
            "geocoder", "build", "--places", folder.file("cities.txt"), "--boundaries", folder.file("states.geojson"),
            "--iso-codes", folder.path, "--notes", folder.file("NOTICE"), "--output", folder.file("geocoder.db"),
        ])
        #expect(result.code == 0 && result.output.isEmpty)
        #expect(result.errors == "taffrail: skipped 1 of 2 features: no country is known\n")
        return folder
    }

    @Test func `an invalid table of codes is reported with its own name`() throws {
        let folder = try Self.build()
        for name in ["iso_3166-2.json", "iso_3166-1.json"] {
            try folder.write("{", to: name)
            let result = try Program.run([
                "geocoder", "build", "--places", folder.file("cities.txt"), "--iso-codes", folder.path,
                "--output", folder.file("other.db"),
            ])
            #expect(result.code == 65 && result.errors.hasPrefix("taffrail: \(folder.file(name)):1: "), "\(result)")
        }
    }

    @Test func `a database is built, queried, and prints its attributions`() throws {
        let folder = try Self.build()
        let environment = ["TAFFRAIL_GEOCODER": folder.file("geocoder.db")]
        let found = try Program.run(["geocoder", "lookup", "55.6761", "12.5683"], environment: environment)
        #expect(
            found.output == """
                geo.country.iso_code=DK
                geo.region.iso_code=DK-84
                geo.locality.name=Harbourtown
                geo.continent.code=EU
                taffrail.geo.time_zone=Europe/Copenhagen

                """)
        let json = try Program.run(["geocoder", "lookup", "--json", "55.1,12.1"], environment: environment)
        #expect(
            json.output
                == #"{"geo.country.iso_code":"DK","geo.region.iso_code":"DK-84","geo.continent.code":"EU"}"# + "\n")
        let info = try Program.run(["geocoder", "info"], environment: environment)
        #expect(info.output.hasSuffix("\n\nMade up, no attribution required.\n"))
        #expect(info.output.contains("\n1 countries, 1 regions, 1 places, 0 postal codes, 5 corners of boundaries\n"))
    }

    @Test func `without polygons the regions are those of GeoNames`() throws {
        let folder = try Self.build()
        let fields = ["1", "Harbourtown", "", "", "55.68", "12.57", "P", "PPL", "DK", "", "17", "", "", ""]
        try folder.write((fields + ["900", "", "", "Europe/Copenhagen"]).joined(separator: "\t"), to: "cities.txt")
        try folder.write("DK.17\tHovedstaden\tHovedstaden\t6418538\nnonsense\n", to: "admin1.txt")
        let database = folder.file("places.db")
        let built = try Program.run([
            "geocoder", "build", "--places", folder.file("cities.txt"), "--admin1", folder.file("admin1.txt"),
            "--iso-codes", folder.path, "--output", database,
        ])
        #expect(built.code == 0)
        #expect(
            built.errors
                == "taffrail: \(folder.file("admin1.txt")): 1 line could not be read and was skipped\n")
        let found = try Program.run(["geocoder", "lookup", "55.6761,12.5683", "--database", database])
        #expect(found.output.contains("geo.region.iso_code=DK-84\n"), "\(found.output)")
    }

    @Test func `at sea, with a wrong coordinate and without a database there are exit statuses`() throws {
        let folder = try Self.build()
        let environment = ["TAFFRAIL_GEOCODER": folder.file("geocoder.db")]
        for (arguments, code) in [
            (["-33.9", "-18.4"], 1), (["--", "-33.9,-18.4"], 1), (["--", "55.6", "12.5"], 0), (["55.6,", "12.5"], 0),
            (["55.6", ",12.5"], 0), (["55.6, 12.5"], 0), (["91", "0"], 64), (["55.6,12.5", "12.5"], 64),
            (["north", "0"], 64), (["1"], 64), ([], 64),
            (["1", "2", "--database", "/nowhere/geocoder.db"], 66), (["--track", "/nowhere/a.gpx"], 66),
            (["1", "2", "--database", folder.file("iso_3166-1.json")], 65),
        ] as [([String], CInt)] {
            let result = try Program.run(["geocoder", "lookup"] + arguments, environment: environment)
            #expect(result.code == code, "\(arguments): \(result.errors)")
        }
        for (arguments, reason) in [
            (["north", "0"], #""north 0" is not LATITUDE,LONGITUDE"#),
            (["91,", "0"], #""91, 0": a latitude is from -90 to 90"#), ([], "expected a coordinate"),
        ] {
            let result = try Program.run(["geocoder", "lookup"] + arguments, environment: environment)
            #expect(result.errors.contains(reason), "\(arguments): \(result.errors)")
        }
        #expect(try Program.run(["geocoder", "build", "--output", "/nowhere/x.db"]).code == 64)
    }

    @Test func `along a track each change of names is a line`() throws {
        let folder = try Self.build()
        let points = [(55.68, 12.57), (55.681, 12.57), (55.1, 12.1), (40, 12.1)].enumerated().map { index, place in
            """
            <trkpt lat="\(place.0)" lon="\(place.1)"><time>2026-01-05T14:30:0\(index)Z</time></trkpt>
            """
        }
        try folder.write(
            #"<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
                + points.joined() + "</trkseg></trk></gpx>", to: "drive.gpx")
        let result = try Program.run(
            ["geocoder", "lookup", "--track", folder.file("drive.gpx"), "--database", folder.file("geocoder.db")])
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            result.output == """
                2026-01-05T14:30:00.000Z  55.6800000, 12.5700000  Harbourtown, DK-84, DK
                2026-01-05T14:30:02.000Z  55.1000000, 12.1000000  DK-84, DK
                2026-01-05T14:30:03.000Z  40.0000000, 12.1000000  -

                """)
        #if Store
        let store = folder.file("track.sqlite")
        for device in ["one", "two"] {
            let imported = try Program.run(
                ["history", "import", folder.file("drive.gpx"), "--device", device, "--store", store])
            #expect(imported.code == 0, "\(imported.errors)")
        }
        let stored = ["geocoder", "lookup", "--history", "--store", store, "--database", folder.file("geocoder.db")]
        #expect(try Program.run(stored + ["--device", "one"]).output == result.output)
        // One after the other, each with its own way.
        let all = try Program.run(stored).output.split(separator: "\n")
        #expect(all.count == 6 && all.prefix(3).allSatisfy { $0.hasSuffix("  one") }, "\(all)")
        #expect(try Program.run(stored + ["1", "2"]).code == 64)
        #expect(try Program.run(stored + ["--json", "--device", "two"]).output.hasPrefix("{\"time\":"))
        #endif
    }
}
#endif
