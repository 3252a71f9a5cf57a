#if HTTP
public import Taffrail
package import TaffrailDelivery
internal import TaffrailGeo
public import TaffrailHTTP

/// The options of the sink `http`.
@dynamicMemberLookup
public struct HTTPRemoteOptions: PluginOptions {
    /// The format of the records.
    public enum Encoding: String, Sendable, Hashable, CaseIterable, Decodable {
        /// OTLP logs as protobuf.
        case otlp
        /// OTLP logs as JSON.
        case otlpJSON = "otlp-json"
        /// A JSON object per line, as in a log file of format `json`.
        case ndjson
        /// Loki's push API.
        case loki
        /// Elasticsearch's `_bulk`.
        case elasticsearch
        /// ClickHouse's `INSERT … FORMAT JSONEachRow`.
        case clickhouse
        /// systemd's journal export format, for `systemd-journal-remote`. It is never compressed.
        case journal
    }

    /// The compression of the body of a request.
    public enum Compression: String, Sendable, Hashable, CaseIterable, Decodable {
        /// gzip, until the destination refuses it.
        case gzip
        /// zstd, until the destination refuses it, and then gzip; gzip also if libzstd is not installed.
        case zstd
        /// No compression.
        case none
    }

    /// The address of the collector, such as `https://collector:4318/v1/logs`.
    public var url: String
    /// The format of the records. Default: OTLP as protobuf.
    public var encoding = Encoding.otlp
    /// The compression of the body of a request. Default: gzip.
    public var compression = Compression.gzip
    /// Attributes of the program, such as `deployment.environment.name`; they replace others of the same name. The
    /// encoding `ndjson` does not send them.
    public var resource: [String: String] = [:]
    /// The name of this device, in the attribute `device.id`. Default: the device of the configuration; `nil`: a hash
    /// of the machine's id.
    public var device: String?
    /// Whether to send a copy of the newest position ahead of queued records. Default: no.
    public var live = false
    /// How long a record waits for others to be sent with it. Default: 500 ms.
    public var delay = Duration.milliseconds(500)
    /// The maximum number of records in a request. Default: 8192.
    public var batchRecords = 8192
    /// The maximum size of a request's records, before compression. Default: 1 MiB.
    public var batchBytes = ByteSize.mebibytes(1)
    /// Authentication, retries and the spool: the remaining options, which are also accessible directly.
    public var delivery = HTTPDeliveryOptions()

    /// Creates options.
    public init(url: String) { self.url = url }

    /// One of the options of ``delivery``.
    public subscript<Value>(dynamicMember option: WritableKeyPath<HTTPDeliveryOptions, Value>) -> Value {
        get { delivery[keyPath: option] }
        set { delivery[keyPath: option] = newValue }
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case url, encoding, compression, resource, live, delay, batch
    }

    private enum BatchKeys: String, CodingKey, CaseIterable { case records, size }

    /// Reads options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        var delivery = HTTPDeliveryOptions()
        try delivery.read(from: decoder)
        guard let url: String = try options.value(.url) else { throw options.problem(.url, "is missing") }
        if let problem = HTTPAddress.problem(in: url) { throw options.problem(.url, problem) }
        self.init(url: url)
        encoding = try options.value(.encoding, or: encoding)
        compression = try options.value(.compression, or: compression)
        if encoding == .journal, options.contains(.compression), compression != .none {
            throw options.problem(
                .compression, "must be none for the encoding journal, which cannot be compressed")
        }
        self.delivery = delivery
        resource = try options.value(.resource, or: resource)
        if encoding == .ndjson, options.contains(.resource) {
            throw options.problem(
                .resource, "has no effect with the encoding ndjson, whose lines are those of a log file")
        }
        device = DeviceOptions.name(in: decoder)
        live = try options.value(.live, or: live)
        delay = try options.value(.delay, or: delay, in: .zero ... .hours(1))
        if options.contains(.batch) {
            let batch = try options.nestedContainer(keyedBy: BatchKeys.self, forKey: .batch)
            batchRecords = try batch.value(.records, or: batchRecords, in: 1...1_000_000)
            batchBytes = try batch.value(.size, or: batchBytes, in: .kibibytes(1) ... .mebibytes(60))
        }
    }

    /// The directory of the spool, and the collector: its URL and the headers, which may name a tenant.
    public func destinations(of instance: PluginInstance) -> [String] {
        [resolvedSpool(of: instance).directory, collector]
    }

    var collector: String { delivery.identity(of: url) }

    /// `true`: the spool is kept next to the log by default.
    public static var keepsStateBesideLog: Bool { true }
}

extension HTTPRemoteOptions: SpoolingOptions {
    package func resolvedSpool(of instance: PluginInstance) -> SpoolOptions { delivery.resolvedSpool(of: instance) }
}
#endif
