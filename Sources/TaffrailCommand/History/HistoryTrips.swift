#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailStore
internal import TaffrailTracks

/// The formats of lists of trips, visits and days.
enum JourneyFormat: String, ExpressibleByArgument, CaseIterable { case table, json, csv, gpx, geojson, kml }

/// The options that `trips` and `visits` share.
struct JourneyFlags: ParsableArguments {
    @OptionGroup var store: HistoryStore
    @OptionGroup var filter: HistoryFilter

    @Option(help: "The most to list: the newest.")
    var limit = 100

    @Option(help: "The output format; days have no gpx, geojson and kml.")
    var format = JourneyFormat.table

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1") }
        if filter.session != nil {
            throw ValidationError("--session: visits and trips belong to a device, not a session")
        }
    }

    func journeys(_ reader: StoreReader) throws -> Journeys {
        let query = try filter.query(store)
        do throws(StoreError) { return try reader.journeys(query) } catch { throw HistoryStore.exitCode(error) }
    }

    /// Writes the newest items in a format for maps, if that was requested.
    ///
    /// - Parameter text: Returns the representation of an item.
    /// - Returns: Whether it was.
    func map<Item>(
        _ items: [Item], _ names: HistoryJourneys, text: (any JourneyMap, Item) throws -> [UInt8]
    ) throws -> Bool {
        let map: any JourneyMap
        switch format {
        case .table, .json, .csv: return false
        case .gpx: map = GPXJourneys(names)
        case .geojson: map = GeoJSONJourneys(names)
        case .kml: map = KMLJourneys(names)
        }
        do {
            let output = try TextOutput(path: "-")
            output.append(Array(map.opening.utf8))
            for (index, item) in items.suffix(limit).enumerated() {
                if index > 0 { output.append(Array(map.separator.utf8)) }
                output.append(try text(map, item))
                try output.flushIfLong()
            }
            output.append(Array(map.closing.utf8))
            try output.finish()
        } catch let error as StoreError {
            throw HistoryStore.exitCode(error)
        } catch let error as RecordingError {
            throw TrackFile.exitCode(error)
        }
        return true
    }

    /// Prints the newest items, one a line; CSV begins with a line of column names.
    func print<Item>(
        _ items: [Item], _ columns: [String], json: (Item) -> String, fields: (Item) -> [String],
        text: (Item) -> String
    ) {
        if format == .csv { Swift.print(HistoryJourneys.csv(columns)) }
        for item in items.suffix(limit) {
            switch format {
            case .table: Swift.print(text(item))
            case .json: Swift.print(json(item))
            case .csv: Swift.print(HistoryJourneys.csv(fields(item)))
            case .gpx, .geojson, .kml: break
            }
        }
    }
}

/// `taffrail history trips`.
struct HistoryTrips: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips", abstract: "List the trips: the journeys between visits.",
        discussion: """
            A visit is a stay of 5 minutes or more within 100 m, also one without fixes in between. Jumps, drift and \
            inaccurate fixes are not part of trips; taffrail history list --all shows them. Times are local. As gpx, geojson \
            or kml each trip is a track of its fixes.
            """)
    @OptionGroup var flags: JourneyFlags

    @Flag(help: "Print for each trip why it begins and ends where it does, and how many fixes were left out.")
    var explain = false

    func run() throws {
        let reader = try flags.store.reader()
        let trips = try flags.journeys(reader).trips
        let lines = HistoryJourneys(places: try flags.store.places())
        if try flags.map(trips, lines, text: { try $0.text($1, along: reader.way(of: $1)) }) { return }
        flags.print(trips, HistoryJourneys.tripColumns, json: lines.json, fields: lines.fields) { trip in
            explain ? lines.text(trip) + "\n" + lines.explanation(of: trip) : lines.text(trip)
        }
    }
}

/// `taffrail history visits`.
struct HistoryVisits: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visits", abstract: "List the visits: stays of 5 minutes or more within 100 m.",
        discussion: "As gpx, geojson or kml each visit is a point with its name and times.")
    @OptionGroup var flags: JourneyFlags

    func run() throws {
        let visits = try flags.journeys(flags.store.reader()).visits
        let lines = HistoryJourneys(places: try flags.store.places())
        if try flags.map(visits, lines, text: { $0.text($1) }) { return }
        flags.print(
            visits, HistoryJourneys.visitColumns, json: lines.json, fields: lines.fields, text: lines.text)
    }
}

/// `taffrail history days`.
struct HistoryDays: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "days", abstract: "Summarize each day: trips, their length, visits.",
        discussion: "Days are those of local time. A trip counts for the day on which it begins.")
    @OptionGroup var flags: JourneyFlags

    func validate() throws {
        guard ![.gpx, .geojson, .kml].contains(flags.format) else {
            throw ValidationError(
                "--format \(flags.format.rawValue): a day has no coordinates, as trips and visits have")
        }
    }

    func run() throws {
        flags.print(
            try flags.journeys(flags.store.reader()).days(.local), HistoryJourneys.dayColumns,
            json: HistoryJourneys.json,
            fields: HistoryJourneys.fields, text: HistoryJourneys.text)
    }
}
#endif
