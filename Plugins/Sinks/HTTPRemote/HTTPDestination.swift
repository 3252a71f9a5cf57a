#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailHTTP

/// Sends batches of records by HTTP, one at a time, in one of the encodings.
final class HTTPDestination: Destination {
    private struct State {
        var isGzipAccepted = true
        /// Whether a compressed request has been accepted.
        var hasAcceptedGzip = false
    }

    private let options: HTTPRemoteOptions
    private let name: String
    private let resource: ResourceAttributes
    private let encoding: any BatchEncoding
    private let channel: HTTPChannel
    private let state = Locked(State())

    init(_ options: HTTPRemoteOptions, name: String, program: String) {
        self.options = options
        self.name = name
        resource = ResourceAttributes(program: program, host: Environment.host, own: options.resource)
        encoding = options.encoding.encoding
        channel = HTTPChannel(options.url, options.delivery, name: name)
        state.withLock { $0.isGzipAccepted = options.compression == .gzip }
    }

    func send(_ batch: SpoolReader.Part) -> Attempt {
        let body: [UInt8]
        do { body = try encoding.body(of: batch, from: resource) } catch {
            return Attempt(.refused, reason: "cannot be written as \(options.encoding.rawValue): \(error)")
        }
        let isGzip = state.withLock { $0.isGzipAccepted }
        let packed = isGzip ? GzipBytes.compressed(body) : nil
        let outcome = send(packed ?? body, isGzip: packed != nil, batch)
        guard packed != nil, let kind = outcome.kind else { return outcome.attempt }
        if case .accepted = kind { state.withLock { $0.hasAcceptedGzip = true } }
        // Some destinations answer 400 to what they cannot decompress.
        let mayBeGzip = kind == .unsupported || kind == .refused && !state.withLock { $0.hasAcceptedGzip }
        return mayBeGzip ? sendPlain(body, batch, after: outcome.attempt) : outcome.attempt
    }

    /// Sends a batch without gzip, which may be why it was not accepted.
    private func sendPlain(_ body: [UInt8], _ batch: SpoolReader.Part, after first: Attempt) -> Attempt {
        var outcome = send(body, isGzip: false, batch)
        outcome.attempt.bytes += first.bytes
        guard case .accepted? = outcome.kind else { return outcome.attempt }
        state.withLock { $0.isGzipAccepted = false }
        Diagnostics.report("\(name): \(channel.origin) does not accept gzip; it is no longer used")
        return outcome.attempt
    }

    private func send(_ body: [UInt8], isGzip: Bool, _ batch: SpoolReader.Part) -> HTTPChannel.Outcome {
        var message = HTTPChannel.Message(
            body, contentType: encoding.contentType, key: batch.id, count: batch.count)
        message.hasLongAnswer = encoding.answersEachRecord
        if isGzip { message.headers = [("Content-Encoding", "gzip")] }
        return channel.post(message) { encoding.verdict($0, $1) }
    }

    func interrupt() { channel.interrupt() }
}
#endif
