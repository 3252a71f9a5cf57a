#if Command && Store
internal import ArgumentParser
internal import TaffrailStore
internal import TaffrailTracks

/// `taffrail history export FILE`.
struct HistoryExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write points to a file, in a format that maps and other programs read.")
    @Argument(help: ArgumentHelp("The new file; - is stdout.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var store: HistoryStore
    @OptionGroup var filter: HistoryFilter

    @Option(
        help: "The format, if the file name does not determine it: json (a recording), gpx, geojson, kml, csv or nmea.")
    var format: TrackFormat?

    @Flag(name: .shortAndLong, help: "Replace the file if it exists.")
    var force = false

    @Flag(help: "Include points that are left out of trips: jumps, drift and inaccurate ones.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Simplify tracks to within this many metres; write only time and position of the remaining points.",
            valueName: "m"))
    var simplify: Double?

    @Option(
        help: """
            The maximum number of points: the newest of all devices. --simplify omits some of these.
            """)
    var limit: Int?

    func validate() throws {
        try LimitOption.validate(limit)
        guard let simplify else { return }
        guard simplify.isFinite, simplify > 0 else { throw ValidationError("--simplify must be more than 0 metres") }
        if all { throw ValidationError("give --simplify or --all, not both") }
    }

    func run() throws {
        let format = try TrackFile.format(file, format, flag: "--format")
        let reader = try store.reader()
        var query = try filter.query(store)
        query.includesExcluded = all
        do {
            let devices = try query.device.map { [$0] } ?? reader.devices()
            guard format != .nmea || devices.count <= 1 else {
                throw ValidationError("NMEA can have only one device; choose one of \(devices.joined(separator: ", "))")
            }
            let newest = try limit.map { try NewestPoints($0, query, reader) }
            try HistoryWriter.write(to: file, format, overwrites: force) { write in
                for device in devices {
                    var one = query
                    one.device = device
                    guard let simplify else {
                        if let newest { try newest.forEach(of: device, write) } else { try reader.forEach(one, write) }
                        continue
                    }
                    if let newest {
                        guard let start = newest.start(of: device) else { continue }
                        one.since = start
                    }
                    for line in try reader.lines(one, tolerance: simplify) {
                        for vertex in line.vertices { try write(TrackPoint(vertex, device: device)) }
                    }
                }
            }
        } catch let error as StoreError {
            throw ExitCode(error).reporting(error)
        }
    }
}
#endif
