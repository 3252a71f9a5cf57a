#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailGeo
internal import TaffrailHTTP
internal import TaffrailText

/// Sends batches of records by HTTP, one at a time, in one of the encodings.
final class HTTPDestination: Destination {
    private struct State {
        /// The current compression of bodies.
        var compression = HTTPRemoteOptions.Compression.none
        /// Whether a request with that compression has been accepted.
        var isAccepted = false
    }

    private let options: HTTPRemoteOptions
    private let name: String
    private let resource: ResourceAttributes
    private let encoding: any BatchEncoding
    private let channel: HTTPChannel
    private let state = Locked(State())
    private let traffic: SideTraffic?

    /// - Parameter traffic: Other bytes sent to the destination, which count towards the rate.
    init(_ options: HTTPRemoteOptions, name: String, program: String, counting traffic: SideTraffic? = nil) {
        self.options = options
        self.traffic = traffic
        self.name = name
        resource = ResourceAttributes(
            program: program, host: Environment.host, device: options.device ?? DeviceID.machine, own: options.resource)
        let encoding = options.encoding.encoding
        self.encoding = encoding
        channel = HTTPChannel(options.url, options.delivery, name: name)
        state.withLock { $0.compression = encoding.isCompressible ? options.compression : .none }
        if options.compression == .zstd && !ZstdBytes.isAvailable {
            Diagnostics.report("\(name): libzstd is not installed; using gzip")
            state.withLock { $0.compression = .gzip }
        }
    }

    func send(_ batch: SpoolBatch) -> Attempt {
        var attempt = send(batch, key: batch.id)
        attempt.bytes += traffic?.take() ?? 0
        return attempt
    }

    /// Sends a batch.
    ///
    /// - Parameter key: The key that identifies the batch in a request.
    func send(_ batch: SpoolBatch, key: String) -> Attempt {
        let body: [UInt8]
        do { body = try encoding.body(of: batch, from: resource) } catch {
            return Attempt(.refused, reason: "cannot be encoded as \(options.encoding.rawValue): \(error)")
        }
        let (outcome, coding) = send(body, batch, key)
        guard coding != .none, let kind = outcome.kind else { return outcome.attempt }
        if case .accepted = kind { state.withLock { $0.isAccepted = true } }
        // Some destinations return 400 if they cannot decompress a body.
        let mayBeCoding = kind == .unsupported || kind == .refused && !state.withLock { $0.isAccepted }
        return mayBeCoding ? send(body, batch, key, after: outcome.attempt, without: coding) : outcome.attempt
    }

    /// Resends a batch that may have been refused because of its compression: with another compression, then
    /// uncompressed.
    private func send(
        _ body: [UInt8], _ batch: SpoolBatch, _ key: String, after first: Attempt,
        without refused: HTTPRemoteOptions.Compression
    ) -> Attempt {
        let next: HTTPRemoteOptions.Compression = refused == .zstd ? .gzip : .none
        let (sent, used) = send(body, batch, key, as: next)
        var outcome = sent
        outcome.attempt.bytes += first.bytes
        if case .accepted? = outcome.kind {
            state.withLock { $0 = State(compression: used, isAccepted: true) }
            Diagnostics.report("\(name): \(channel.origin) does not accept \(refused.rawValue); it is no longer used")
            return outcome.attempt
        }
        let mayBeCoding = used != .none && (outcome.kind == .unsupported || outcome.kind == .refused)
        return mayBeCoding ? send(body, batch, key, after: outcome.attempt, without: used) : outcome.attempt
    }

    /// Sends a batch, compressed if possible.
    private func send(
        _ body: [UInt8], _ batch: SpoolBatch, _ key: String, as wanted: HTTPRemoteOptions.Compression? = nil
    ) -> (HTTPChannel.Outcome, HTTPRemoteOptions.Compression) {
        let wanted = wanted ?? state.withLock { $0.compression }
        let packed: [UInt8]? =
            switch wanted {
            case .zstd: ZstdBytes.compressed(body)
            case .gzip: GzipBytes.compressed(body)
            case .none: nil
            }
        var message = HTTPChannel.Message(
            packed ?? body, contentType: encoding.contentType, key: key, count: batch.count)
        message.hasLongResponse = encoding.responseListsEachRecord
        if packed != nil { message.headers = [("Content-Encoding", wanted.rawValue)] }
        return (channel.post(message) { encoding.verdict($0, $1) }, packed == nil ? .none : wanted)
    }

    func interrupt() { channel.interrupt() }
}

extension HTTPRemoteOptions.Encoding {
    /// The encoding.
    fileprivate var encoding: any BatchEncoding {
        switch self {
        case .otlp: OTLPEncoding()
        case .otlpJSON: OTLPJSONEncoding()
        case .ndjson: LinesEncoding()
        case .loki: LokiEncoding()
        case .elasticsearch: ElasticsearchEncoding()
        case .clickhouse: ClickHouseEncoding()
        case .journal: JournalEncoding()
        }
    }
}
#endif
