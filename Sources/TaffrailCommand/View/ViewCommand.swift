#if Command && Server && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailServer
internal import TaffrailStore

/// `taffrail view FILE…`.
struct ViewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Show recordings, tracks and logs in a browser.",
        discussion: """
            Reads the files once and serves them on this machine until a signal arrives. No other program is needed, and \
            nothing is kept: the data is in a temporary directory until the command ends. Until then, anyone who can \
            connect to ports of this machine can see it.

            A log includes its rotated and compressed files. Positions in a file belong to a device with the \
            file's name or, if several files have that name, DIRECTORY/NAME or the whole path. The map needs Leaflet \
            (Debian: libjs-leaflet), the charts dygraphs (libjs-dygraphs). It shows names of towns if the database of \
            "taffrail geocoder build" is at its default path.

            Examples:
              taffrail view drive.json
              taffrail view monday.gpx tuesday.gpx app.log --port 8080
            """)

    @Argument(
        help: ArgumentHelp(
            "Recordings, tracks (.gpx .geojson .kml .csv .nmea), OwnTracks' .rec, Google's Timeline, logs and directories of logs.",
            valueName: "file"), completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("The port to listen on; 0 selects a free port.", valueName: "number"))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp("A file of MBTiles with raster tiles for the map.", valueName: "file"),
        completion: .file(extensions: ["mbtiles"]))
    var tiles: String?

    func run() async throws {
        let viewer = try viewer()
        let directory: ViewDirectory
        do throws(SystemError) { directory = try ViewDirectory() } catch {
            throw ExitCode.cannotCreate.reporting(error)
        }
        defer { directory.remove() }
        guard let signals = SignalPipe(SignalPipe.endings) else { throw ExitCode.inputOutput }
        StandardStream.ignoreClosedPipes()
        let serving = Locked<Task<Void, any Error>?>(nil)
        _ = DedicatedThread.start {
            guard let signal = signals.next() else { return }
            if let task = serving.withLock({ $0 }) { return task.cancel() }
            // Still reading.
            directory.remove()
            Self.exit(withError: ExitCode(128 + signal))
        }
        let viewed = ViewedFiles(in: directory.path, of: files)
        for file in files { try viewed.add(file) }
        try viewed.finish()
        guard viewed.count > 0 else {
            throw ExitCode.dataError.reporting("the files contain no records and no positions")
        }
        let (logs, tracks) = (viewed.logPath, viewed.trackPath)
        let task = Task { [port] in try await Self.serve(logs: logs, tracks: tracks, viewer: viewer, port: port) }
        serving.withLock { $0 = task }
        do { try await task.value } catch is CancellationError {} catch {
            throw ExitCode.unavailable.reporting("cannot listen on 127.0.0.1:\(port): \(error)")
        }
    }

    private func viewer() throws -> Viewer {
        guard let tiles else { return Viewer(towns: .standard) }
        do throws(OptionError) {
            let file = try TileFile(DestinationPath.resolved(tiles))
            return Viewer(
                tiles: MapTiles(type: file.type, zooms: file.zooms, attribution: file.attribution, tile: file.tile),
                towns: .standard)
        } catch {
            throw ExitCode.dataError.reporting("--tiles \(error.reason)")
        }
    }

    /// Serves until the task is cancelled. Accepts no data.
    private static func serve(logs: String, tracks: String, viewer: Viewer, port: UInt16) async throws {
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
        var receiver = Receiver.Settings()
        receiver.origin = RequestOrigin(hosts: ["127.0.0.1"])
        receiver.anonymous.roles = [.read]
        receiver.isDurable = false
        receiver.viewer = viewer
        receiver.queries = LogAPI(logStore: logs, locationStore: tracks)
        let settings = ServerSettings(host: "127.0.0.1", port: Int(port))
        try await HTTPServer(settings, Receiver(receiver, into: pipeline)) { port in
            StandardStream.write("http://127.0.0.1:\(port)/\n", to: 1)
        }.run()
        _ = pipeline.shutdown(timeout: .seconds(1))
    }
}
#endif
