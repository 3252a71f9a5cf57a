#if HTTP
public import Taffrail
public import TaffrailDelivery

/// The common options of all sinks that send from a spool by HTTP: authentication, retries, and the spool.
public struct HTTPDeliveryOptions: Sendable, Hashable {
    /// How the program authenticates itself.
    public var credentials = HTTPCredentials()
    /// Further headers.
    public var headers: [String: Secret] = [:]
    /// The certificates of both ends.
    public var tls = HTTPTLSOptions()
    /// The time limit of a request; after timeouts it doubles, up to eight times this value. Default: 30 s.
    public var timeout = Duration.seconds(30)
    /// The longest delay before a retry, unless the destination requests a longer one. Default: a minute.
    public var longestRetry = Duration.minutes(1)
    /// The maximum number of bytes sent per second. Default `nil`: no limit.
    public var rate: ByteSize?
    /// How long the end of the program may be delayed to send the remaining records. Default: 500 ms.
    public var drain = Duration.milliseconds(500)
    /// The spool. Its default directory is `.taffrail/LOG.NAME.spool` next to the log of the configuration's first sink
    /// `file`; without one, `.taffrail/NAME.spool` in the program's log directory.
    public var spool = SpoolOptions(directory: "")

    /// The defaults.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case token
        case tokenFile = "token_file"
        case tokenEnvironment = "token_environment"
        case tokenCredential = "token_credential"
        case user, password, headers, tls, timeout
        case longestRetry = "longest_retry"
        case rate, drain, spool
    }

    private enum SpoolKeys: String, CodingKey, CaseIterable {
        case directory, size, age
        case whenFull = "when_full"
    }

    /// Replaces the values that a configuration sets, next to the sink's own options.
    ///
    /// - Parameter hasSpool: Whether the sink has a spool.
    package mutating func read(from decoder: any Decoder, hasSpool: Bool = true) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        credentials.token = try options.value(.token).map(Secret.init)
        credentials.tokenFile = try options.path(.tokenFile)
        credentials.tokenEnvironment = try options.value(.tokenEnvironment)
        credentials.tokenCredential = try options.value(.tokenCredential)
        credentials.user = try options.value(.user)
        credentials.password = try options.value(.password).map(Secret.init)
        if let (option, reason) = credentials.problem {
            throw options.problem(CodingKeys(rawValue: option) ?? .token, reason)
        }
        let headers: [String: String] = try options.value(.headers, or: [:])
        for (name, value) in headers {
            guard HTTPAddress.isHeaderName(name), HTTPAddress.isHeaderValue(value) else {
                throw options.problem(
                    .headers, "\"\(name)\" is not the name of a header, or its value is not printable ASCII")
            }
        }
        self.headers = headers.mapValues(Secret.init)
        tls = try options.value(.tls, or: tls)
        timeout = try options.value(.timeout, or: timeout, in: .milliseconds(100) ... .hours(1))
        longestRetry = try options.value(.longestRetry, or: longestRetry, in: .seconds(1) ... .days(1))
        drain = try options.value(.drain, or: drain, in: .zero ... .minutes(10))
        if options.contains(.rate) { rate = try Self.rate(options) }
        guard options.contains(.spool) else { return }
        guard hasSpool else {
            throw options.problem(.spool, "is not possible for uploads: recordings stay in their directory")
        }
        let keys = try options.nestedContainer(keyedBy: SpoolKeys.self, forKey: .spool)
        if let directory = try keys.path(.directory) { spool.directory = directory }
        spool.size = try keys.value(.size, or: spool.size, in: .kibibytes(512) ... .gibibytes(1 << 20))
        spool.age = try keys.value(.age, in: .minutes(1) ... .days(36_600))
        spool.whenFull = try keys.value(.whenFull, or: spool.whenFull)
    }

    /// Returns a size, with or without `/s`.
    private static func rate(_ options: KeyedDecodingContainer<CodingKeys>) throws -> ByteSize {
        let text = try options.decode(String.self, forKey: .rate)
        guard let size = ByteSize(text.hasSuffix("/s") ? String(text.dropLast(2)) : text), size >= .kibibytes(1) else {
            throw options.problem(.rate, "must be at least 1KiB/s, such as 256KiB/s")
        }
        return size
    }

    /// Identifies the receiver at a URL: the URL and the headers, which may name a tenant, but not the credentials.
    ///
    /// - Parameter more: Strings that identify the receiver in addition.
    package func identity(of url: String, _ more: [String] = []) -> String {
        HTTPAddress.identity(of: url, headers.map { "\($0.key.lowercased()): \($0.value.text)" }.sorted() + more)
    }

    /// The spool of an instance with these options.
    package func resolvedSpool(of instance: PluginInstance) -> SpoolOptions {
        var options = spool
        options.directory =
            spool.directory.isEmpty
            ? "\(instance.logDirectory)/.taffrail/\(instance.filePrefix)spool"
            : DestinationPath.resolved(spool.directory)
        return options
    }
}

extension PluginInstance {
    /// The prefix of the names of files that only one program may use at a time: the log's name, if it is known, and
    /// the instance's name, each followed by a full stop.
    fileprivate var filePrefix: String {
        let name = SinkBook.StatusFile.fileName(of: name)
        return (log.map { $0 + "." } ?? "") + name + "."
    }
}
#endif
