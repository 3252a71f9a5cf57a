#if HTTP
public import Taffrail
public import TaffrailDelivery

/// The options of the sink `http`.
public struct HTTPRemoteOptions: PluginOptions {
    /// The form of the records.
    public enum Encoding: String, Sendable, Hashable, CaseIterable {
        /// OTLP logs as protobuf.
        case otlp
        /// OTLP logs as JSON.
        case otlpJSON = "otlp-json"
        /// A JSON object a line, as in a log file of format `json`.
        case ndjson
        /// Loki's push API.
        case loki
        /// Elasticsearch's `_bulk`.
        case elasticsearch
        /// ClickHouse's `INSERT … FORMAT JSONEachRow`.
        case clickhouse
    }

    /// Whether the body of a request is compressed.
    public enum Compression: String, Sendable, Hashable, CaseIterable {
        /// As gzip, until the destination answers that it does not accept that.
        case gzip
        /// Not.
        case none
    }

    /// Where the records are sent, such as `https://collector:4318/v1/logs`.
    public var url: String
    /// The form of the records. Default: OTLP as protobuf.
    public var encoding = Encoding.otlp
    /// Whether the body of a request is compressed. Default: gzip.
    public var compression = Compression.gzip
    /// How the program authenticates itself.
    public var credentials = HTTPCredentials()
    /// Further headers.
    public var headers: [String: Secret] = [:]
    /// What identifies the other end, and this one.
    public var tls = HTTPTLSOptions()
    /// Attributes of the program, such as `deployment.environment.name`; they replace those of the same name.
    public var resource: [String: String] = [:]
    /// How long a record waits for others that are sent with it. Default: 500 ms.
    public var delay = Duration.milliseconds(500)
    /// How many records a request has at most. Default: 8192.
    public var batchRecords = 8192
    /// How many bytes of records a request has at most, before compression. Default: 1 MiB.
    public var batchBytes = ByteSize.mebibytes(1)
    /// How long a request may take. Default: 30 s.
    public var timeout = Duration.seconds(30)
    /// The longest delay before a retry, unless the destination asks for more. Default: a minute.
    public var longestRetry = Duration.minutes(1)
    /// How many bytes are sent in a second at most. Default `nil`: any number.
    public var rate: ByteSize?
    /// How long the end of the program may be delayed to send what is left. Default: 500 ms.
    public var drain = Duration.milliseconds(500)
    /// The directory of the spool. Default `nil`: `NAME.spool` in the log directory's `.taffrail`.
    public var spoolDirectory: String?
    /// How many bytes the spool may have. Default: 256 MiB.
    public var spoolSize = ByteSize.mebibytes(256)
    /// How old a record may become before it is dropped. Default `nil`: any age.
    public var spoolAge: Duration?
    /// What happens when the spool is full. Default: the oldest records are dropped.
    public var spoolWhenFull = SpoolOptions.Full.dropOldest

    /// Creates options.
    public init(url: String) { self.url = url }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case url, encoding, compression, token
        case tokenFile = "token_file"
        case tokenEnvironment = "token_environment"
        case tokenCredential = "token_credential"
        case user, password, headers, tls, resource, delay, batch, timeout
        case longestRetry = "longest_retry"
        case rate, drain, spool
    }

    private enum BatchKeys: String, CodingKey, CaseIterable { case records, size }

    private enum SpoolKeys: String, CodingKey, CaseIterable {
        case directory, size, age
        case whenFull = "when_full"
    }

    /// Reads options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        guard let url: String = try options.value(.url) else { throw options.problem(.url, "is missing") }
        if let problem = HTTPAddress.problem(in: url) { throw options.problem(.url, problem) }
        self.init(url: url)
        encoding = try options.choice(.encoding, or: encoding)
        compression = try options.choice(.compression, or: compression)
        credentials.token = try options.value(.token).map(Secret.init)
        credentials.tokenFile = try options.value(.tokenFile)
        credentials.tokenEnvironment = try options.value(.tokenEnvironment)
        credentials.tokenCredential = try options.value(.tokenCredential)
        credentials.user = try options.value(.user)
        credentials.password = try options.value(.password).map(Secret.init)
        if let problem = credentials.problem { throw options.problem(.token, problem) }
        let headers: [String: String] = try options.value(.headers, or: [:])
        for (name, value) in headers {
            guard HTTPAddress.isHeaderName(name), HTTPAddress.isHeaderValue(value) else {
                throw options.problem(.headers, "\"\(name)\" is not a header, or its value has control characters")
            }
        }
        self.headers = headers.mapValues(Secret.init)
        tls = try options.value(.tls, or: tls)
        resource = try options.value(.resource, or: resource)
        delay = try options.value(.delay, or: delay, in: .zero ... .hours(1))
        timeout = try options.value(.timeout, or: timeout, in: .milliseconds(100) ... .hours(1))
        longestRetry = try options.value(.longestRetry, or: longestRetry, in: .seconds(1) ... .days(1))
        drain = try options.value(.drain, or: drain, in: .zero ... .minutes(10))
        if options.contains(.rate) { rate = try Self.rate(options) }
        if options.contains(.batch) {
            let batch = try options.nestedContainer(keyedBy: BatchKeys.self, forKey: .batch)
            batchRecords = try batch.value(.records, or: batchRecords, in: 1...1_000_000)
            batchBytes = try batch.value(.size, or: batchBytes, in: .kibibytes(1) ... .mebibytes(60))
        }
        guard options.contains(.spool) else { return }
        let spool = try options.nestedContainer(keyedBy: SpoolKeys.self, forKey: .spool)
        spoolDirectory = try spool.value(.directory)
        guard spoolDirectory.map({ !$0.isEmpty }) ?? true else { throw spool.problem(.directory, "must not be empty") }
        spoolSize = try spool.value(.size, or: spoolSize, in: .kibibytes(512) ... .gibibytes(1 << 20))
        if spool.contains(.age) { spoolAge = try spool.value(.age, or: .zero, in: .minutes(1) ... .days(36_600)) }
        spoolWhenFull = try spool.value(.whenFull, or: spoolWhenFull)
    }

    /// A size, with or without `/s`.
    private static func rate(_ options: KeyedDecodingContainer<CodingKeys>) throws -> ByteSize {
        let text = try options.decode(String.self, forKey: .rate)
        guard let size = ByteSize(text.hasSuffix("/s") ? String(text.dropLast(2)) : text), size >= .kibibytes(1) else {
            throw options.problem(.rate, "must be at least 1KiB/s, such as 256KiB/s")
        }
        return size
    }

    /// The directory of the spool.
    public func destinations(of instance: PluginInstance) -> [String] { [spool(of: instance).directory] }
}

extension HTTPRemoteOptions: SpoolingOptions {
    package func spool(of instance: PluginInstance) -> SpoolOptions {
        let name = SinkBook.StatusFile.fileName(of: instance.name)
        let directory =
            spoolDirectory.map(DestinationPath.resolved) ?? instance.logDirectory + "/.taffrail/\(name).spool"
        return SpoolOptions(directory: directory, size: spoolSize, age: spoolAge, whenFull: spoolWhenFull)
    }
}

extension KeyedDecodingContainer {
    /// One of the values of an enumeration.
    fileprivate func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: Key, or standard: Choice
    ) throws -> Choice where Choice.RawValue == String {
        guard let text: String = try value(key) else { return standard }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw problem(key, "must be one of \(names), is \"\(text)\"")
        }
        return choice
    }
}
#endif
