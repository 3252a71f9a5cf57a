#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
#if Store
internal import TaffrailStore
#endif
internal import TaffrailText
internal import TaffrailTracks

/// `taffrail geocoder lookup|info|build`.
struct GeocoderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "geocoder",
        abstract: "Find the countries, regions and towns of coordinates offline.",
        discussion: """
            The database is the file of --database, else what TAFFRAIL_GEOCODER names, else taffrail/geocoder.db in \
            $XDG_DATA_HOME (default ~/.local/share), /usr/local/share or /usr/share.

            Examples:
              taffrail geocoder build --places cities500.txt --boundaries states.geojson --output geocoder.db
              taffrail geocoder lookup 55.6761 12.5683
              taffrail geocoder lookup --track drive.gpx
              taffrail geocoder lookup --history --since yesterday
            """,
        subcommands: [Lookup.self, Info.self, Build.self])

    /// The choice of the database.
    struct Database: ParsableArguments {
        @Option(help: ArgumentHelp("The database.", valueName: "file"), completion: .file())
        var database: String?

        var path: String { database ?? OfflineGeocoder.standardPath }

        func open() throws -> OfflineGeocoder {
            do throws(OfflineGeocoder.OpenError) { return try OfflineGeocoder(path: path) } catch {
                throw (error.cause.map { ExitCode(reading: $0) } ?? .dataError).reporting(error)
            }
        }
    }

    /// `taffrail geocoder lookup LATITUDE LONGITUDE`.
    struct Lookup: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lookup",
            abstract: "Print the place names of a coordinate, a track, or a device's history.",
            discussion: """
                For a track, prints one line per change of names. The exit status is 1 if there is no country, as at \
                sea.
                """)

        @OptionGroup var database: Database

        @Option(help: ArgumentHelp("Look up a track instead of a coordinate.", valueName: "file"), completion: .file())
        var track: String?

        @Option(help: "The track's format, if the name does not determine it.")
        var format: TrackFormat?

        @Flag(help: "Print one JSON object per line.")
        var json = false

        #if Store
        @Flag(help: "Look up the positions of a location-store instead of a coordinate.")
        var history = false

        @OptionGroup var store: HistoryStore
        @OptionGroup var filter: HistoryFilter
        #endif

        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Degrees north and east, negative for south and west.", valueName: "coordinate"))
        var coordinate: [String] = []

        func run() throws {
            // Accept the separator `--` before a negative coordinate, as other programs do.
            let coordinate = coordinate.filter { $0 != "--" }
            #if Store
            if history {
                guard coordinate.isEmpty, track == nil else {
                    throw ValidationError("give only one of a coordinate, --track and --history")
                }
                return try lookAlongHistory()
            }
            #endif
            if let track {
                guard coordinate.isEmpty else { throw ValidationError("give a coordinate or --track, not both") }
                let format = try TrackFile.source(track, format, flag: "--format")
                let geocoder = try database.open()
                var changes = Changes(geocoder: geocoder, isJSON: json)
                return try TrackFile.read(track, format) { event in
                    if let location = event.location { changes.look(at: location) }
                }
            }
            let place = try PlaceArgument.coordinate(coordinate)
            let placemark = try database.open().placemark(at: place)
            if let placemark { print(json ? placemark.json() : placemark.text) }
            if placemark == nil { throw ExitCode(1) }
        }

        #if Store
        /// Each device has its own path.
        private func lookAlongHistory() throws {
            let query = try filter.query(store)
            let geocoder = try database.open()
            let reader = try store.reader()
            do {
                let devices = try query.device.map { [$0] } ?? reader.devices()
                for device in devices {
                    var one = query
                    one.device = device
                    var changes = Changes(geocoder: geocoder, isJSON: json)
                    if devices.count > 1 { changes.device = device }
                    try reader.forEach(one) { changes.look(at: $0.location) }
                }
            } catch let error as StoreError {
                throw ExitCode(error).reporting(error)
            }
        }
        #endif
    }

    /// Prints a line for each change of names along a path.
    private struct Changes {
        let geocoder: OfflineGeocoder
        let isJSON: Bool
        /// The device that moves, if there are several.
        var device: String?
        private var last: Placemark??

        init(geocoder: OfflineGeocoder, isJSON: Bool) {
            self.geocoder = geocoder
            self.isJSON = isJSON
        }

        mutating func look(at location: Location) {
            let placemark = geocoder.placemark(at: location.coordinate)
            guard last != .some(placemark) else { return }
            last = .some(placemark)
            if isJSON { return print((placemark ?? Placemark()).json(at: location, of: device)) }
            let names = placemark.map { $0.line } ?? "-"
            let owner = device.map { "  " + TerminalText.safe($0) } ?? ""
            print("\(RFC3339.string(location.timestamp))  \(location.coordinate)  \(names)\(owner)")
        }
    }

    /// `taffrail geocoder info`.
    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "info", abstract: "Show a database's contents, sources and licences.")

        @OptionGroup var database: Database

        func run() throws {
            let geocoder = try database.open()
            let counts = geocoder.counts
            print(
                """
                \(database.path): \(geocoder.length) bytes
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

    /// The names, one a line.
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

    /// Returns a JSON object, with the time and the coordinate of a location, and the names there, if they are given.
    fileprivate func json(at location: Location? = nil, of device: String? = nil) -> String {
        var values: [LogValueEntry] = []
        if let device { values.append(LogValueEntry("device", .string(device))) }
        if let location {
            values.append(LogValueEntry("time", .date(location.timestamp)))
            values.append(LogValueEntry("geo.location.lat", .double(location.coordinate.latitude)))
            values.append(LogValueEntry("geo.location.lon", .double(location.coordinate.longitude)))
        }
        return String(decoding: LogValue.map(values + entries).json, as: UTF8.self)
    }
}
#endif
