public import Taffrail
#if HTTP
internal import TaffrailClickHouse
#endif
public import TaffrailGeo
internal import TaffrailServer

/// The options of the input `receiver`.
public struct ReceiverOptions: PluginOptions {
    /// The address to listen on: a host, which may be an IPv6 address in brackets, and a port; 0 is any free port.
    /// Default `127.0.0.1:8787`.
    public var bind: String
    /// A file with the tokens of clients, one per line. Default `nil`: none are required, and only this machine may
    /// connect.
    public var tokenFile: String?
    /// Whether to serve other machines without tokens. Default `false`.
    public var insecure: Bool
    /// Host names that clients without tokens may use, besides `localhost` and addresses. Default: none.
    public var hosts: [String]
    /// The certificate chain, as a file in PEM; with ``key``. Default `nil`: no TLS.
    public var certificate: String?
    /// The private key of the certificate, as a file in PEM.
    public var key: String?
    /// The maximum size of a body, both as sent and decompressed. From 64 KiB to 64 MiB. Default 16 MiB.
    public var bodySize: ByteSize
    /// The maximum number of simultaneous connections; further ones wait. From 1 to 65536. Default 512.
    public var connections: Int
    /// The time limit of a request, from its head to the end of the response. From 1 s to 1 h. Default 60 s.
    public var timeout: Duration
    /// The directory of recordings that devices upload. Default `nil`: none are accepted.
    public var recordings: String?
    /// The database of a `log-store` that `GET /api/…` reads. Default `nil`: none; without ``clickhouse``, these
    /// requests then return 404. Requires the trait `Store`.
    public var logStore: String?
    /// The database of a `location-store` that `GET /api/…` also reads; with ``logStore``. Default `nil`: none.
    public var locationStore: String?
    /// An MBTiles file with raster tiles for the viewer's map; with ``logStore`` or ``clickhouse``. Default `nil`:
    /// only countries.
    public var tiles: String?
    /// The file of a sink `alerts`, which `GET /api/alerts` reads; with ``logStore``. Default `nil`: none.
    public var alerts: String?
    /// A table of OpenTelemetry's exporter for ClickHouse that `GET /api/…` reads instead of ``logStore``:
    /// `clickhouse://HOST:PORT/DATABASE`. Default `nil`: none. Requires the trait `HTTP`.
    public var clickhouse: String?
    /// Whether records and recordings are accepted. Default `true`.
    public var receive: Bool
    /// The places that the viewer's map shows; with ``logStore``. Default: all places of the configuration. Only
    /// clients with the role `control` see the home, and places at whose centre or edge privacy zones hide positions.
    public var places: [NamedPlace]
    /// Whether records are refused while the queue is in memory, where they would not survive the end of the program.
    /// Default `true`.
    public var durable: Bool
    /// The device of this program's records without one, in `GET /stream`. Default `nil`: none. A configuration uses
    /// the top-level `device`.
    public var device: String?

    /// Creates options.
    public init(
        bind: String = "127.0.0.1:8787", tokenFile: String? = nil, insecure: Bool = false, hosts: [String] = [],
        certificate: String? = nil, key: String? = nil, bodySize: ByteSize = .mebibytes(16), connections: Int = 512,
        timeout: Duration = .seconds(60), recordings: String? = nil, logStore: String? = nil,
        locationStore: String? = nil, tiles: String? = nil, alerts: String? = nil, clickhouse: String? = nil,
        receive: Bool = true, places: [NamedPlace] = [], durable: Bool = true, device: String? = nil
    ) {
        self.bind = bind
        self.tokenFile = tokenFile
        self.insecure = insecure
        self.hosts = hosts
        self.certificate = certificate
        self.key = key
        self.bodySize = bodySize
        self.connections = connections
        self.timeout = timeout
        self.recordings = recordings
        self.logStore = logStore
        self.locationStore = locationStore
        self.tiles = tiles
        self.alerts = alerts
        self.clickhouse = clickhouse
        self.receive = receive
        self.places = places
        self.durable = durable
        self.device = device
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case bind
        case tokenFile = "token_file"
        case insecure, hosts, certificate, key
        case bodySize = "body_size"
        case connections, timeout, recordings
        case logStore = "log_store"
        case locationStore = "location_store"
        case tiles, alerts, clickhouse, receive, places, durable
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        bind = try options.value(.bind, or: bind)
        tokenFile = try options.path(.tokenFile)
        insecure = try options.value(.insecure, or: insecure)
        do throws(OptionError) {
            _ = try BindAddress.checked(bind, isGuarded: tokenFile != nil || insecure)
        } catch {
            throw options.problem(.bind, error.reason)
        }
        hosts = try options.value(.hosts, or: hosts)
        certificate = try options.path(.certificate)
        key = try options.path(.key)
        guard (certificate == nil) == (key == nil) else {
            throw options.problem(certificate == nil ? .key : .certificate, "certificate and key must be set together")
        }
        bodySize = try options.value(.bodySize, or: bodySize, in: .kibibytes(64) ... .mebibytes(64))
        connections = try options.value(.connections, or: connections, in: 1...65_536)
        timeout = try options.value(.timeout, or: timeout, in: .seconds(1) ... .hours(1))
        recordings = try options.path(.recordings)
        logStore = try options.path(.logStore)
        locationStore = try options.path(.locationStore)
        tiles = try options.path(.tiles)
        alerts = try options.path(.alerts)
        #if !Store
        let stores = [
            (CodingKeys.logStore, logStore), (.locationStore, locationStore), (.tiles, tiles), (.alerts, alerts),
        ]
        for (key, path) in stores where path != nil {
            throw options.problem(key, "requires the trait Store")
        }
        #endif
        clickhouse = try options.value(.clickhouse)
        if let clickhouse { try Self.check(clickhouse, logStore, options) }
        receive = try options.value(.receive, or: receive)
        guard locationStore == nil || logStore != nil else {
            throw options.problem(.locationStore, "requires log_store")
        }
        guard tiles == nil || logStore != nil || clickhouse != nil else {
            throw options.problem(.tiles, "requires log_store or clickhouse")
        }
        guard alerts == nil || logStore != nil else { throw options.problem(.alerts, "requires log_store") }
        places = try options.places(.places, or: PlacesOptions.all(in: decoder), in: decoder)
        durable = try options.value(.durable, or: durable)
        device = DeviceOptions.name(in: decoder)
    }

    /// Checks the address of a ClickHouse server. Messages do not contain it, because it may include a password.
    private static func check(
        _ address: String, _ logStore: String?, _ options: KeyedDecodingContainer<CodingKeys>
    ) throws {
        guard logStore == nil else { throw options.problem(.clickhouse, "cannot be combined with log_store") }
        #if HTTP
        do throws(OptionError) { _ = try ClickHouseAddress(parsing: address) } catch {
            throw options.problem(.clickhouse, error.reason)
        }
        #else
        throw options.problem(.clickhouse, "requires the trait HTTP")
        #endif
    }
}
