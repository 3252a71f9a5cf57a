#if Command && Store
internal import ArgumentParser
internal import TaffrailRecording
internal import TaffrailStore
internal import TaffrailTracks

/// The options that `trips`, `visits` and `days` share.
struct JourneyFlags: ParsableArguments {
    @OptionGroup var store: HistoryStore
    @OptionGroup var filter: HistoryFilter

    @Option(help: "The maximum number to list: the newest.")
    var limit = 100

    @Option(help: "The output format; gpx, geojson and kml are not possible for days.")
    var format = HistoryFormat.table

    func validate() throws {
        try LimitOption.validate(limit)
        if filter.session != nil {
            throw ValidationError("--session: visits and trips belong to a device, not a session")
        }
    }

    func journeys(_ reader: StoreReader) throws -> Journeys {
        let query = try filter.query(store)
        do throws(StoreError) { return try reader.journeys(query) } catch { throw ExitCode(error).reporting(error) }
    }

    /// Writes the newest items in a format for maps, if one was requested.
    ///
    /// - Parameter text: Returns the representation of an item.
    /// - Returns: Whether a format for maps was requested.
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
            throw ExitCode(error).reporting(error)
        } catch let error as RecordingError {
            throw ExitCode(error).reporting(error)
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
#endif
