#if HTTP
internal import AsyncHTTPClient
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Taffrail
internal import TaffrailDelivery

/// Sends batches by HTTP, one at a time.
final class HTTPDestination: Destination {
    private struct State {
        var isInterrupted = false
        var isGzipAccepted = true
        /// Whether a compressed request has been accepted.
        var hasAcceptedGzip = false
        /// What the last request had for `Authorization`.
        var authorization = ""
        var cancel: (@Sendable () -> Void)?
        var client: HTTPClient?
        var group: MultiThreadedEventLoopGroup?
    }

    private let options: HTTPRemoteOptions
    private let name: String
    private let resource: ResourceAttributes
    private let encoding: any BatchEncoding
    private let state = Locked(State())
    private let process = ThisProcess.id

    /// The longest answer that is read, in bytes.
    private static let longestAnswer = 4 << 20

    init(_ options: HTTPRemoteOptions, name: String, program: String) {
        self.options = options
        self.name = name
        resource = ResourceAttributes(program: program, host: Environment.host, own: options.resource)
        encoding = options.encoding.encoding
        state.withLock { $0.isGzipAccepted = options.compression == .gzip }
        if options.tls.insecure {
            Diagnostics.report("\(name): anyone may answer for \(HTTPAddress.origin(of: options.url)), as configured")
        }
    }

    deinit {
        // In a forked child the client has no threads that could end it.
        guard process == ThisProcess.id else {
            state.withLock { state in
                if let client = state.client { _ = Unmanaged.passRetained(client) }
                if let group = state.group { _ = Unmanaged.passRetained(group) }
            }
            return
        }
        close()
    }

    // MARK: Sending

    func send(_ batch: SpoolReader.Part) -> Attempt {
        let body: [UInt8]
        do { body = try encoding.body(of: batch, from: resource) } catch {
            return Attempt(.refused, reason: "cannot be written as \(options.encoding.rawValue): \(error)")
        }
        let isGzip = state.withLock { $0.isGzipAccepted }
        let packed = isGzip ? GzipBytes.compressed(body) : nil
        let (meaning, attempt) = send(packed ?? body, isGzip: packed != nil, batch)
        guard packed != nil, let kind = meaning?.kind else { return attempt }
        if case .accepted = kind { state.withLock { $0.hasAcceptedGzip = true } }
        // Some destinations answer 400 to what they cannot decompress.
        let mayBeGzip = kind == .unsupported || kind == .refused && !state.withLock { $0.hasAcceptedGzip }
        return mayBeGzip ? sendPlain(body, batch, after: attempt) : attempt
    }

    /// Sends a batch without gzip, which may be why it was not accepted.
    private func sendPlain(_ body: [UInt8], _ batch: SpoolReader.Part, after first: Attempt) -> Attempt {
        var (meaning, attempt) = send(body, isGzip: false, batch)
        attempt.bytes += first.bytes
        guard case .accepted? = meaning?.kind else { return attempt }
        state.withLock { $0.isGzipAccepted = false }
        Diagnostics.report("\(name): \(HTTPAddress.origin(of: options.url)) does not accept gzip; it is no longer used")
        return attempt
    }

    private func send(
        _ body: [UInt8], isGzip: Bool, _ batch: SpoolReader.Part
    ) -> (AnswerMeaning?, Attempt) {
        do {
            let request = try request(body, isGzip: isGzip, batch)
            guard let client = try client() else { return (nil, Attempt(.interrupted)) }
            let task = client.execute(
                request: request, delegate: ResponseAccumulator(request: request, maxBodySize: Self.longestAnswer),
                deadline: .now() + .nanoseconds(options.timeout.nanoseconds))
            let isLate = state.withLock { state in
                state.cancel = { task.cancel() }
                return state.isInterrupted
            }
            if isLate { task.cancel() }
            defer { state.withLock { $0.cancel = nil } }
            let response = try task.futureResult.wait()
            return attempt(response, to: batch, bytes: body.count)
        } catch let error as OptionError {
            return (nil, Attempt(.denied, reason: "\(error)"))
        } catch {
            if state.withLock({ $0.isInterrupted }) { return (nil, Attempt(.interrupted)) }
            let reason = AnswerText.line(Self.text(error, at: options.url), without: secrets)
            // Fewer records have a shorter answer.
            let isTooLong = error is ResponseAccumulator.ResponseTooBigError
            let mayBeShorter = isTooLong && encoding.answersEachRecord && batch.count > 1
            return (
                nil,
                Attempt(
                    mayBeShorter ? .tooLarge : .later(notBefore: nil), reason: reason,
                    bytes: Self.isBeforeRequest(error) ? 0 : body.count)
            )
        }
    }

    /// Whether nothing of a request was sent when an error occurred.
    private static func isBeforeRequest(_ error: any Error) -> Bool {
        if error is NIOConnectionError || error is NIOSSLError || error is NIOSSLExtraError { return true }
        if let error = error as? IOError {
            return [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ETIMEDOUT].contains(error.errnoCode)
        }
        guard let error = error as? HTTPClientError else { return false }
        return error == .connectTimeout || error == .tlsHandshakeTimeout || error == .getConnectionFromPoolTimeout
    }

    /// What must not be printed.
    private var secrets: [String] {
        let authorization = state.withLock { $0.authorization }
        let word = authorization.split(separator: " ").last.map(String.init) ?? ""
        return options.headers.values.map(\.text) + [authorization, word]
            + [options.credentials.token, options.credentials.password].compactMap { $0?.text }
    }

    private func request(_ body: [UInt8], isGzip: Bool, _ batch: SpoolReader.Part) throws -> HTTPClient.Request {
        var headers = HTTPHeaders()
        headers.add(name: "Content-Type", value: encoding.contentType)
        headers.add(name: "User-Agent", value: "Taffrail")
        headers.add(name: "Idempotency-Key", value: "\"\(Self.word(name))-\(batch.id)\"")
        if isGzip { headers.add(name: "Content-Encoding", value: "gzip") }
        if let authorization = try options.credentials.authorization() {
            state.withLock { $0.authorization = authorization }
            headers.add(name: "Authorization", value: authorization)
        }
        for (name, value) in options.headers.sorted(by: { $0.key < $1.key }) {
            headers.replaceOrAdd(name: name, value: value.text)
        }
        return try HTTPClient.Request(
            url: options.url, method: .POST, headers: headers, body: .byteBuffer(ByteBuffer(bytes: body)))
    }

    /// A name as a part of a key.
    private static func word(_ name: String) -> String {
        String(
            decoding: name.utf8.map { byte in
                let isPlain =
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                return isPlain || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") ? byte : UInt8(ascii: "_")
            }, as: UTF8.self)
    }

    private func attempt(
        _ response: HTTPClient.Response, to batch: SpoolReader.Part, bytes: Int
    ) -> (AnswerMeaning, Attempt) {
        let status = Int(response.status.code)
        let body = response.body.map { Array($0.readableBytesView) } ?? []
        let meaning = meaning(of: response, body, of: batch.count)
        let text = meaning.message.isEmpty ? String(decoding: body.prefix(1 << 14), as: UTF8.self) : meaning.message
        let shown = AnswerText.line(text, without: secrets)
        let reason = "\(HTTPAddress.origin(of: options.url)) answers \(status)" + (shown.isEmpty ? "" : ": \(shown)")
        let verdict: Attempt.Verdict
        switch meaning.kind {
        case .accepted(let refused): verdict = .accepted(refused: refused)
        case .later:
            let asked = response.headers.first(name: "Retry-After").flatMap {
                RetryAfter.time(
                    $0, date: response.headers.first(name: "Date"), now: SystemClock.wallNanoseconds())
            }
            verdict = .later(notBefore: asked)
        case .tooLarge: verdict = .tooLarge
        case .refused: verdict = .refused
        case .denied, .unsupported: verdict = .denied
        }
        return (meaning, Attempt(verdict, reason: reason, bytes: bytes, refused: meaning.refused))
    }

    /// What an answer means to a number of records.
    private func meaning(of response: HTTPClient.Response, _ body: [UInt8], of count: Int) -> AnswerMeaning {
        let meaning = encoding.verdict(Int(response.status.code), body)
        guard case .accepted = meaning.kind else { return meaning }
        if let answered = meaning.count, answered != count {
            return AnswerMeaning(.later, "the answer has \(answered) items for \(count) records")
        }
        // What a network answers before one has signed in to it.
        let isPage = response.headers.first(name: "Content-Type")?.lowercased().hasPrefix("text/html") ?? false
        if isPage, body.first(where: { $0 > 32 }) == UInt8(ascii: "<") {
            return AnswerMeaning(.later, "the answer is a web page")
        }
        return meaning
    }

    /// An error of the connection, in one line.
    private static func text(_ error: any Error, at url: String) -> String {
        let origin = HTTPAddress.origin(of: url)
        if let error = error as? NIOConnectionError, let first = error.connectionErrors.first {
            return "\(origin): \(text(of: first.error))"
        }
        return "\(origin): \(text(of: error))"
    }

    private static func text(of error: any Error) -> String {
        switch error {
        case let error as IOError: SystemError("", code: error.errnoCode).reason
        case let error as HTTPClientError: error.shortDescription
        default: tlsText(of: "\(error)") ?? String("\(error)".map { $0.isNewline ? " " : $0 })
        }
    }

    /// BoringSSL's reason in an error, such as `TLS: certificate verify failed`, without its error numbers and source files.
    static func tlsText(of error: String) -> String? {
        let parts = error.split(separator: "OPENSSL_internal:")
        guard parts.count > 1 else { return nil }
        let reason = parts[1].prefix { $0 == "_" || $0.isUppercase || $0.isNumber }
        return reason.isEmpty ? nil : "TLS: " + reason.lowercased().replacing("_", with: " ")
    }

    // MARK: The client

    /// The client, created with the first request; `nil` after ``interrupt()``.
    private func client() throws -> HTTPClient? {
        let made = state.withLock { state -> (HTTPClient?, Bool) in (state.client, state.isInterrupted) }
        if made.1 { return nil }
        if let client = made.0 { return client }
        let configuration = try configuration()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
        state.withLock { state in
            state.client = client
            state.group = group
        }
        return client
    }

    private func configuration() throws -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        do {
            if let path = options.tls.authority {
                tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path))
            }
            if let certificate = options.tls.certificate, let key = options.tls.key {
                tls.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) }
                tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
            }
        } catch {
            throw OptionError("tls", "a certificate or key cannot be read: \(error)")
        }
        if options.tls.insecure { tls.certificateVerification = .none }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.redirectConfiguration = .disallow
        // A span of each request would be a record to be sent, which is a request.
        configuration.tracing.tracer = nil
        configuration.timeout.connect = .nanoseconds(min(options.timeout.nanoseconds, 10_000_000_000))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        // The uploader retries, with delays that grow.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.proxy = try HTTPProxy.proxy(for: options.url).map(\.client)
        return configuration
    }

    func interrupt() {
        let cancel = state.withLock { state in
            state.isInterrupted = true
            return state.cancel
        }
        cancel?()
    }

    private func close() {
        let (client, group) = state.withLock { state in
            defer {
                state.client = nil
                state.group = nil
            }
            return (state.client, state.group)
        }
        guard let client, let group else { return }
        client.shutdown().whenComplete { _ in group.shutdownGracefully { _ in } }
    }
}
#endif
