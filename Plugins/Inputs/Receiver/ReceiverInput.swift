#if Server
public import Taffrail
internal import TaffrailServer
internal import TaffrailTransport
#if HTTP
internal import TaffrailClickHouse
#endif
#if HTTP || Store
internal import TaffrailQuery
#endif
#if Store
internal import TaffrailStore
#endif

/// Records that other programs and devices send by HTTP.
///
/// Confirms records once they are in the pipeline's queue, which must be a file unless the options allow otherwise.
public final class ReceiverInput: Input {
    private let settings: ServerSettings
    private let receiver: Receiver.Settings
    private let whenListening: @Sendable (Int) -> Void

    /// Creates an input, which listens when it runs.
    ///
    /// - Parameters:
    ///   - options: Its options.
    ///   - whenListening: Receives the port whenever the input listens. Default: nothing.
    /// - Throws: ``OptionError`` if the address is open to other machines without tokens, or the tokens or the
    ///   certificate cannot be read.
    public init(
        _ options: ReceiverOptions = ReceiverOptions(), whenListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws {
        let address = try BindAddress.checked(
            options.bind, isGuarded: options.tokenFile != nil || options.insecure)
        var settings = ServerSettings(host: address.host, port: address.port)
        if let certificate = options.certificate, let key = options.key {
            try ServerCertificate.check(certificate: certificate, key: key)
            settings.tls = (certificate, key)
        }
        settings.memory = max(settings.memory, 6 * options.bodySize.bytes)
        settings.connections = options.connections
        settings.requestTime = options.timeout
        settings.idleTime = min(options.timeout, .seconds(30))
        var receiver = Receiver.Settings()
        receiver.tokens = try options.tokenFile.map { try TokenFile($0) }
        // With tokens, any host name is accepted, because a page of another site has no token.
        receiver.origin = RequestOrigin(
            hosts: options.tokenFile == nil ? Set(options.hosts + [address.host]) : nil)
        receiver.isSecure = settings.tls != nil
        receiver.bodyLimit = options.bodySize.bytes
        receiver.isDurable = options.durable
        receiver.device = options.device ?? ""
        receiver.places = options.places
        receiver.recordings = options.recordings.map(DestinationPath.resolved)
        #if Store
        receiver.queries = options.logStore.map { path in
            LogAPI(
                logStore: DestinationPath.resolved(path),
                locationStore: options.locationStore.map(DestinationPath.resolved),
                alerts: options.alerts.map(DestinationPath.resolved))
        }
        let tiles = try options.tiles.map { path in
            let file = try TileFile(DestinationPath.resolved(path))
            return MapTiles(type: file.type, zooms: file.zooms, attribution: file.attribution, tile: file.tile)
        }
        receiver.viewer = Viewer(tiles: tiles, towns: .standard)
        #endif
        #if HTTP
        if let address = options.clickhouse {
            let store = try ClickHouseStore(try ClickHouseAddress(parsing: address))
            receiver.queries = LogAPI(logs: { () throws(LogQueryError) -> any LogQuery in store })
        }
        #endif
        receiver.isReceiving = options.receive
        self.settings = settings
        self.receiver = receiver
        self.whenListening = whenListening
    }

    /// Serves until the task is cancelled. Retries while the address is in use.
    public func run(into pipeline: Pipeline) async throws {
        pipeline.begin()
        if receiver.isDurable && !pipeline.isDurable {
            Diagnostics.report("the receiver refuses all records, because the queue is in memory")
        }
        let application = Receiver(receiver, into: pipeline)
        let scheme = settings.tls == nil ? "http" : "https"
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        var backoff = Backoff()
        var reported = ""
        while !Task.isCancelled {
            do {
                try await HTTPServer(settings, application) { [whenListening] port in
                    Diagnostics.report("the receiver listens on \(scheme)://\(host):\(port)")
                    whenListening(port)
                }.run()
            } catch {
                guard !Task.isCancelled else { return }
                let problem = "the receiver cannot listen on \(host):\(settings.port): \(error)"
                if problem != reported { Diagnostics.report(problem) }
                reported = problem
            }
            try? await Task.sleep(for: backoff.delay())
        }
    }
}
#endif
