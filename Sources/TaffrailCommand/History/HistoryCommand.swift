#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailStore
internal import TaffrailTracks

/// `taffrail history list|stats|trips|visits|days|export|push|import|purge|thin|clear|backup|maintain`.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show, share, import and delete the positions of a location store.",
        discussion: """
            The store is that of the configuration, or the one that --store names. It may be in use: changes are then \
            made by the program that has it open.

            Examples:
              taffrail history list --since yesterday --limit 20
              taffrail history trips --since 2026-01-05 --explain
              taffrail history export --since 2026-01-05 --until 2026-01-06 day.gpx
              taffrail history purge --older-than 30d --yes
            """,
        subcommands: [
            HistoryList.self, HistoryStats.self, HistoryTrips.self, HistoryVisits.self, HistoryDays.self,
            HistoryExport.self, HistoryPush.self, HistoryImport.self, HistoryPurge.self, HistoryThin.self,
            HistoryClear.self, HistoryBackup.self, HistoryMaintain.self,
        ],
        defaultSubcommand: HistoryList.self)
}

/// `taffrail history list`.
struct HistoryList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the newest points, the oldest of them first.")
    @OptionGroup var store: HistoryStore
    @OptionGroup var filter: HistoryFilter

    @Option(help: "The most points to list.")
    var limit = 100

    @Option(help: "The output format.")
    var format = HistoryFormat.table

    @Flag(help: "Include points that are left out of trips: jumps, drift and inaccurate ones.")
    var all = false

    func validate() throws { if limit < 1 { throw ValidationError("--limit must be at least 1") } }

    func run() throws {
        var query = try filter.query(store)
        query.limit = limit
        query.isNewestFirst = true
        query.includesJudged = all
        let reader = try store.reader()
        let points: [TrackPoint]
        do throws(StoreError) { points = try reader.points(query).reversed() } catch {
            throw HistoryStore.exitCode(error)
        }
        switch format {
        case .table: for point in points { print(HistoryLine.text(point)) }
        case .json: for point in points { print(HistoryLine.json(point)) }
        default:
            guard let format = TrackFormat(rawValue: format.rawValue) else { return }
            try HistoryWriter.write(to: "-", format, overwrites: false) { write in try points.forEach(write) }
        }
    }
}

/// The formats of a list of points.
enum HistoryFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv, gpx, geojson, kml

    /// `text`, the name in other commands, is `table`.
    init?(argument: String) { self.init(rawValue: argument == "text" ? "table" : argument) }
}

/// `taffrail history export FILE`.
struct HistoryExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write points into a file, in a format that maps and other programs read.")
    @Argument(help: ArgumentHelp("The new file; - is stdout.", valueName: "file"))
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
            "Leave out points within this many metres of the line between the rest; write only time and place of these.",
            valueName: "m"))
    var simplify: Double?

    @Option(help: "The most points: the newest, of all devices together. --simplify leaves out some of these.")
    var limit: Int?

    func validate() throws {
        try NewestPoints.validate(limit)
        guard let simplify else { return }
        guard simplify.isFinite, simplify > 0 else { throw ValidationError("--simplify must be more than 0 metres") }
        if all { throw ValidationError("--simplify or --all, not both") }
    }

    func run() throws {
        let format = try TrackFile.format(file, format, flag: "--format")
        let reader = try store.reader()
        var query = try filter.query(store)
        query.includesJudged = all
        do {
            let devices = try query.device.map { [$0] } ?? reader.devices()
            guard format != .nmea || devices.count <= 1 else {
                throw ValidationError("NMEA can have one device; choose one of \(devices.joined(separator: ", "))")
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
            throw HistoryStore.exitCode(error)
        }
    }
}

/// `taffrail history import FILE…`.
struct HistoryImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import points from track files; existing points are left unchanged.")
    @Argument(
        help: ArgumentHelp(
            "The files: recordings, GPX, GeoJSON, KML, CSV, NMEA, OwnTracks Recorder's .rec, Google's Timeline.json and Records.json.",
            valueName: "file"))
    var files: [String]

    @OptionGroup var store: HistoryStore

    @Option(help: "The format, where it cannot be detected: \(ImportFormat.all.map(\.name).joined(separator: ", ")).")
    var format: String?

    @Option(help: ArgumentHelp("The device that moved (default: the one that the file names).", valueName: "name"))
    var device: String?

    @Option(help: ArgumentHelp("The session (default: the file's name).", valueName: "name"))
    var session: String?

    func run() throws {
        let named = try format.map { name in
            guard let format = ImportFormat(name: name) else {
                throw ValidationError(
                    "--format \(name): not one of \(ImportFormat.all.map(\.name).joined(separator: ", "))")
            }
            return format
        }
        for file in files {
            guard let format = named ?? ImportFormat(path: file) else {
                throw ValidationError("the name of \(file) does not determine its format; use --format")
            }
            let path = DestinationPath.resolved(file)
            var arguments = [LogValueEntry("file", .string(path)), LogValueEntry("format", .string(format.name))]
            if let device { arguments.append(LogValueEntry("device", .string(device))) }
            if let session { arguments.append(LogValueEntry("session", .string(session))) }
            do {
                let answer = try store.execute(ControlCommand("import", arguments)) { store in
                    try store.importPoints(path, format: format, device: device, session: session).answer
                }
                let (new, known) = (answer["inserted"] ?? .int(0), answer["repeated"] ?? .int(0))
                print("\(file): \(new) new, \(known) known")
                if let skipped = answer["skipped"], skipped != .int(0) {
                    StandardStream.complain("\(file): \(skipped) positions cannot be read")
                }
            } catch let error as RecordingError {
                throw TrackFile.exitCode(error)
            }
        }
    }
}

/// `taffrail history backup FILE`.
struct HistoryBackup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the store, which may be in use, into a file that must not exist.")
    @Argument(help: ArgumentHelp("The new file.", valueName: "file"))
    var file: String

    @OptionGroup var store: HistoryStore

    func run() throws {
        let reader = try store.reader()
        try StoreFlags.backUp { () throws(StoreError) in try reader.backUp(to: file) }
    }
}
#endif
