#if Command && Configuration && Server
internal import ArgumentParser
internal import Taffrail
#if HTTP
internal import TaffrailClickHouse
#endif
internal import TaffrailConfiguration
internal import TaffrailGeo
#if HTTP
internal import TaffrailQuery
#endif
internal import TaffrailServer
internal import TaffrailText
internal import TaffrailTransport

/// `taffrail serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Receive records and positions from other programs and devices by HTTP.",
        discussion: """
            Accepts JSON lines (POST /logs), OTLP logs (POST /v1/logs, protobuf or JSON), pings (POST /ping), \
            OwnTracks (POST /owntracks), Overland (POST /overland) and Traccar's OsmAnd protocol (/osmand). GET /logs \
            returns the last pings, GET /api/records?q=… the records that match a query (GET /api/openapi.json \
            describes more), GET /stream the records as they arrive, GET /health and GET /metrics the state of the \
            receiver. The response 200 confirms that records survive the end of the program.

            The viewer is at http://127.0.0.1:8787/: records and positions in a browser. Its map needs Leaflet \
            (Debian: libjs-leaflet).

            Records are written to received.log and logs.sqlite in the data directory, positions also to track.sqlite, and \
            uploaded recordings (PUT /recordings/NAME) below recordings. A configuration can add alerts (GET /api/alerts), other \
            sinks and processors. This is taffrail run with the input receiver: to set its other options, use taffrail run.

            With --store it shows the records that collectors write into the table of OpenTelemetry's exporter for ClickHouse \
            instead: clickhouse://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE[?table=otel_logs&password_file=FILE], or clickhouses:// \
            with TLS; the port is that of ClickHouse's HTTP interface. Other users can see a password in the arguments \
            of a program; use password_file, or CLICKHOUSE_USER and CLICKHOUSE_PASSWORD in the environment. With \
            --store nothing is received: requests with records are refused with 403, GET /stream contains only the \
            server's own records, and there are no tracks, visits or trips. If ClickHouse cannot be read at the start, \
            the exit status is 69; later, queries are answered with 503 until it can be read.

            SIGUSR1 rotates the log; SIGTERM and SIGINT finish requests, drain the queue \
            and end the program.

            Examples:
              taffrail serve
              taffrail serve --bind 0.0.0.0:8787 --token-file tokens --data /var/lib/taffrail
              taffrail serve --config alerts.yaml
              taffrail serve --store 'clickhouse://reader@db:8123/default?password_file=/etc/taffrail/password'
            """)

    @Option(name: .long, help: ArgumentHelp("The address to listen on.", valueName: "host:port"))
    var bind = "127.0.0.1:8787"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The directory of the data (default: $XDG_STATE_HOME/taffrail/received or ~/.local/state/taffrail/received).",
            valueName: "directory"), completion: .directory)
    var data: String?

    @Option(
        name: .long, help: ArgumentHelp("A file with the tokens of clients, one on each line.", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A configuration whose plugins are added, such as alerts.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The ClickHouse database with the records of collectors, instead of receiving.", valueName: "clickhouse://…"
        ))
    var store: String?

    @Flag(name: .long, help: "Serve other machines without tokens.")
    var insecure = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A name by which clients without tokens call this machine. May be repeated.", valueName: "name"))
    var host: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("The certificate chain in PEM, for TLS.", valueName: "file"),
        completion: .file())
    var certificate: String?

    @Option(
        name: .long, help: ArgumentHelp("The certificate's private key in PEM.", valueName: "file"),
        completion: .file())
    var key: String?

    @Option(
        name: .long, help: ArgumentHelp("A file of MBTiles with raster tiles for the map.", valueName: "file"),
        completion: .file(extensions: ["mbtiles"]))
    var tiles: String?

    func validate() throws {
        guard store != nil, config != nil else { return }
        throw ValidationError("--store cannot be combined with --config")
    }

    func run() async throws {
        let name = "taffrail serve"
        try checkStore()
        let added = try config.flatMap { try ConfigurationFlag.plan($0)?.plan }
        let plan = try ConfigurationFlag.reportingProblems(named: name) { () throws(ConfigurationError) in
            try self.plan(named: name, with: added)
        }
        try checkAddress()
        try await RunCommand.run(plan, file: name, isBuiltIn: true) { pipeline in
            guard pipeline.isDurable else {
                StandardStream.report(
                    "the queue is in memory, where records would not survive; use another --data")
                throw ExitCode.cannotCreate
            }
        }
    }

    /// Returns the plan that the options describe, with the parts of a configuration.
    private func plan(named name: String, with added: Plan?) throws(ConfigurationError) -> Plan {
        let directory = DestinationPath.resolved(data ?? Self.defaultDirectory)
        let text = try text(
            in: directory, alerts: added?.destination(of: "alerts", in: directory),
            places: (added?.sections[PlacesOptions.section] as? PlacesOptions)?.places ?? [])
        var plan = try Plan.read(text: text, named: name, registry: try ConfigurationFlag.registry())
        if let added { try plan.add(added, statesIn: directory) }
        return plan
    }

    /// Returns the configuration that the options describe.
    ///
    /// - Parameters:
    ///   - directory: The directory of the data.
    ///   - alerts: The file of a sink `alerts`, if there is one.
    ///   - places: The places of a configuration.
    private func text(
        in directory: String, alerts: String?, places: [NamedPlace]
    ) throws(ConfigurationError) -> String {
        do throws(SystemError) { try Directory.create(directory, mode: 0o700) } catch {
            throw ConfigurationError([ConfigurationProblem(file: directory, message: "\(error)")])
        }
        var lines = ["plugins:", "  receiver:", "    bind: \(Self.quoted(bind))", "    insecure: \(insecure)"]
        if let store {
            lines += ["    clickhouse: \(Self.quoted(store))", "    receive: false"]
        } else {
            lines.append("    recordings: \(Self.quoted(directory + "/recordings"))")
        }
        if let tokenFile { lines.append("    token_file: \(Self.quoted(DestinationPath.resolved(tokenFile)))") }
        if !host.isEmpty { lines.append("    hosts: [\(host.map(Self.quoted).joined(separator: ", "))]") }
        if let certificate {
            lines.append("    certificate: \(Self.quoted(DestinationPath.resolved(certificate)))")
        }
        if let key { lines.append("    key: \(Self.quoted(DestinationPath.resolved(key)))") }
        #if Store
        let (logs, track) = (Self.quoted(directory + "/logs.sqlite"), Self.quoted(directory + "/track.sqlite"))
        if store == nil { lines += ["    log_store: \(logs)", "    location_store: \(track)"] }
        if let tiles { lines.append("    tiles: \(Self.quoted(DestinationPath.resolved(tiles)))") }
        if let alerts { lines.append("    alerts: \(Self.quoted(alerts))") }
        #endif
        lines += [
            "  file:", "    path: \(Self.quoted(directory + "/received.log"))", "    format: json",
            "    rotate: { size: 64MiB, keep: 64, compress: gzip }",
        ]
        #if Store
        if store == nil { lines += ["  log-store:", "    path: \(logs)", "  location-store:", "    path: \(track)"] }
        #endif
        if !places.isEmpty { lines.append("places:") }
        for place in places {
            let (latitude, longitude) = (place.center.latitude, place.center.longitude)
            lines.append(
                "  - { name: \(Self.quoted(place.name)), latitude: \(latitude), longitude: \(longitude), radius: \(place.radius) }"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Fails if the table of `--store` cannot be read.
    private func checkStore() throws {
        guard let store else { return }
        #if HTTP
        let reader: ClickHouseStore
        do throws(OptionError) { reader = try ClickHouseStore(try ClickHouseAddress(parsing: store)) } catch {
            throw ExitCode.badConfiguration.reporting("--store \(error.reason)")
        }
        do throws(LogQueryError) { try reader.check() } catch {
            throw ExitCode.unavailable.reporting("cannot read the store: \(error)")
        }
        #else
        throw MissingTrait.http
        #endif
    }

    private static var defaultDirectory: String { Environment.stateHome + "/taffrail/received" }

    /// Returns a string in YAML, without variables.
    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.append(json: text.replacing("${", with: "$${"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Fails at the start of the command if the address is in use; the input itself would retry without a limit.
    private func checkAddress() throws {
        guard let address = BindAddress(bind), address.port != 0 else { return }
        let found: [SocketAddress]
        do throws(SystemError) {
            found = try SocketAddress.resolve(address.host, address.port, datagrams: false, listening: true)
        } catch { throw ExitCode.unavailable.reporting("cannot listen on \(bind): \(error)") }
        do throws(SystemError) { try found.first?.checkBinding() } catch {
            throw ExitCode.unavailable.reporting("cannot listen on \(bind): \(Errno.text(error.code))")
        }
    }
}
#endif
