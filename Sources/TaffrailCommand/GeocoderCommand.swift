#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText
internal import TaffrailTracks

/// `taffrail geocoder lookup|info|build`.
struct GeocoderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "geocoder",
        abstract: "Find countries, regions and towns of coordinates, without a network.",
        discussion: """
            The database is the file of --database, else what TAFFRAIL_GEOCODER names, else taffrail/geocoder.db in \
            $XDG_DATA_HOME (default ~/.local/share), /usr/local/share or /usr/share.

            Examples:
              taffrail geocoder build --places cities500.txt --boundaries states.geojson --output geocoder.db
              taffrail geocoder lookup 55.6761 12.5683
              taffrail geocoder lookup --track drive.gpx
            """,
        subcommands: [Lookup.self, Info.self, Build.self])

    /// The choice of the database.
    struct Database: ParsableArguments {
        @Option(help: ArgumentHelp("The database.", valueName: "file"))
        var database: String?

        func open() throws -> OfflineGeocoder {
            do throws(OfflineGeocoder.OpenError) {
                return try OfflineGeocoder(path: database ?? OfflineGeocoder.standardPath)
            } catch {
                StandardStream.complain("\(error)")
                throw ExitCode.noInput
            }
        }
    }

    /// `taffrail geocoder lookup LATITUDE LONGITUDE`.
    struct Lookup: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lookup",
            abstract: "Print what lies at a coordinate, or along a track.",
            discussion: """
                Of a track there is a line for each change of names. Without a country, as at sea, the exit status is 1.
                """)

        @OptionGroup var database: Database

        @Option(help: ArgumentHelp("A track in place of a coordinate.", valueName: "file"))
        var track: String?

        @Option(help: "The track's format, if the name does not determine it.")
        var format: TrackFormat?

        @Flag(help: "Print one JSON object a line.")
        var json = false

        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Degrees north and east, negative for south and west.", valueName: "coordinate"))
        var coordinate: [String] = []

        func run() throws {
            if let track {
                guard coordinate.isEmpty else { throw ValidationError("a coordinate or --track, not both") }
                return try look(along: track)
            }
            let parts = coordinate.flatMap { $0.split(separator: ",") }.map(String.init)
            guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else {
                throw ValidationError("a coordinate is two numbers, such as 55.6761 12.5683")
            }
            let place = Coordinate(latitude: latitude, longitude: longitude)
            guard place.isValid else {
                throw ValidationError("latitude must be from -90 to 90 and longitude from -180 to 180")
            }
            let placemark = try database.open().placemark(at: place)
            if let placemark { print(json ? placemark.json() : placemark.text) }
            if placemark == nil { throw ExitCode(1) }
        }

        private func look(along path: String) throws {
            let geocoder = try database.open()
            let format = try TrackFile.format(path, format, flag: "--format")
            var last: Placemark??
            try TrackFile.read(path, format) { event in
                guard let location = event.location else { return }
                let placemark = geocoder.placemark(at: location.coordinate)
                guard last != .some(placemark) else { return }
                last = .some(placemark)
                if json {
                    print((placemark ?? Placemark()).json(at: location))
                } else {
                    let names = placemark.map { $0.line } ?? "-"
                    print("\(RFC3339.string(location.timestamp))  \(location.coordinate)  \(names)")
                }
            }
        }
    }

    /// `taffrail geocoder info`.
    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "info", abstract: "Print what a database has, where that comes from, and its licences.")

        @OptionGroup var database: Database

        func run() throws {
            let path = database.database ?? OfflineGeocoder.standardPath
            let geocoder = try database.open()
            let counts = geocoder.counts
            print(
                """
                \(path): \(geocoder.length) bytes
                \(counts.countries) countries, \(counts.regions) regions, \(geocoder.placeCount) places, \
                \(counts.codes) postal codes, \(counts.corners) corners of boundaries
                """)
            let notes = geocoder.notes
            if !notes.isEmpty { print("\n" + notes, terminator: notes.hasSuffix("\n") ? "" : "\n") }
        }
    }
}

extension Placemark {
    /// The known names, by the names of their attributes.
    private var entries: [LogValueEntry] {
        let all = [
            ("geo.country.iso_code", countryCode), ("geo.region.iso_code", regionCode), ("geo.locality.name", locality),
            ("geo.postal_code", postalCode), ("geo.continent.code", continentCode),
            ("taffrail.geo.time_zone", timeZone),
        ]
        return all.compactMap { name, value in value.map { LogValueEntry(name, .string($0)) } }
    }

    /// A line for each name.
    fileprivate var text: String {
        entries.map { entry in
            guard case .string(let text) = entry.value else { return "" }
            return "\(entry.key)=\(text)"
        }.joined(separator: "\n")
    }

    /// All names in one line.
    fileprivate var line: String {
        [locality, postalCode, regionCode, countryCode].compactMap { $0 }.joined(separator: ", ")
    }

    /// A JSON object, with the time and the coordinate of a location if one is given.
    fileprivate func json(at location: Location? = nil) -> String {
        var values: [LogValueEntry] = []
        if let location {
            values.append(LogValueEntry("time", .date(location.timestamp)))
            values.append(LogValueEntry("geo.location.lat", .double(location.coordinate.latitude)))
            values.append(LogValueEntry("geo.location.lon", .double(location.coordinate.longitude)))
        }
        var bytes: [UInt8] = []
        bytes.append(json: .map(values + entries))
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
