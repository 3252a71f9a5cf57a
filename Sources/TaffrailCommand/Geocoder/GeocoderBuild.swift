#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

extension GeocoderCommand {
    /// `taffrail geocoder build`.
    struct Build: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "build",
            abstract: "Build the database from published data.",
            discussion: """
                Places and postal codes are tables as GeoNames publishes them (cities500.txt, and allCountries.txt of the \
                postal codes); --admin1 is GeoNames' table of regions (admin1CodesASCII.txt), for places outside of boundaries \
                with a region. Boundaries are GeoJSON polygons with Natural Earth's properties (admin 1 states and provinces); \
                the codes of countries and regions are those of Debian's package iso-codes. --notes names a file with \
                the attributions that the data requires; `geocoder info` prints it, and the viewer's map shows its \
                first line. --places, --admin1, --boundaries, --postal-codes and --notes may be repeated.

                Example:
                  taffrail geocoder build --places cities500.txt --boundaries states.geojson --notes NOTICE -o geocoder.db
                """)

        @Option(help: ArgumentHelp("A table of places.", valueName: "file"), completion: .file())
        var places: [String] = []

        @Option(help: ArgumentHelp("A table of the regions of places.", valueName: "file"), completion: .file())
        var admin1: [String] = []

        @Option(help: ArgumentHelp("Polygons of regions or countries.", valueName: "file"), completion: .file())
        var boundaries: [String] = []

        @Option(help: ArgumentHelp("A table of postal codes.", valueName: "file"), completion: .file())
        var postalCodes: [String] = []

        @Option(
            help: ArgumentHelp("The directory of iso_3166-1.json and iso_3166-2.json.", valueName: "dir"),
            completion: .directory)
        var isoCodes = "/usr/share/iso-codes/json"

        @Option(
            help: ArgumentHelp("A file with the sources of the data, and its licences.", valueName: "file"),
            completion: .file())
        var notes: [String] = []

        @Option(
            name: .shortAndLong, help: ArgumentHelp("The database, which is replaced.", valueName: "file"),
            completion: .file())
        var output: String

        func validate() throws {
            guard !places.isEmpty || !boundaries.isEmpty else {
                throw ValidationError("give --places or --boundaries")
            }
        }

        func run() throws {
            var builder = GeocoderBuilder()
            var codes = ISOCodes()
            let (countries, subdivisions) = (isoCodes + "/iso_3166-1.json", isoCodes + "/iso_3166-2.json")
            try reading(countries) { try codes.read(countries: FileSource(path: countries)) }
            try reading(subdivisions) { try codes.read(subdivisions: FileSource(path: subdivisions)) }
            var reader = BoundaryReader(codes)
            for path in boundaries {
                try reading(path) { try reader.read(FileSource(path: path)) { builder.add($0) } }
            }
            let (features, withoutCountry, withoutRegion) = reader.counts
            if withoutCountry > 0 {
                StandardStream.report("skipped \(withoutCountry) of \(features) features: no country is known")
            }
            if withoutRegion > 0 {
                StandardStream.report("\(withoutRegion) of \(features) features have no known region")
            }
            var regions: [String: String] = [:]
            for path in admin1 {
                let unread = try reading(path) {
                    try GeoNamesReader.regions(FileSource(path: path), codes, into: &regions)
                }
                reportUnread(unread, path)
            }
            for path in places {
                let unread = try reading(path) {
                    try GeoNamesReader.places(FileSource(path: path), regions: regions) { builder.add($0) }
                }
                reportUnread(unread, path)
            }
            for path in postalCodes {
                let unread = try reading(path) { try GeoNamesReader.codes(FileSource(path: path)) { builder.add($0) } }
                reportUnread(unread, path)
            }
            builder.notes = try notes.map { path in
                try reading(path) {
                    String(decoding: try FileSource(path: path).readAll(limit: 1 << 20), as: UTF8.self)
                }
            }.joined(separator: "\n")
            do throws(SystemError) {
                try builder.write(to: output)
            } catch { throw ExitCode.cannotCreate.reporting(error) }
        }

        private func reportUnread(_ unread: Int, _ path: String) {
            guard unread > 0 else { return }
            let count = CountText.text(
                unread, "line could not be read and was skipped", "lines could not be read and were skipped")
            StandardStream.report("\(path): \(count)")
        }

        /// Reports the reason why a file cannot be read.
        private func reading<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
            do {
                return try body()
            } catch let error as SystemError {
                throw ExitCode(reading: error).reporting(error)
            } catch let error as ReadError {
                throw ExitCode.dataError.reporting("\(path):\(error.line): \(error.reason)")
            }
        }
    }
}
#endif
