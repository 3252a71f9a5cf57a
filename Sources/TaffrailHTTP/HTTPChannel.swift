#if HTTP
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Taffrail
package import TaffrailDelivery

/// Sends requests to one address by HTTP, one at a time, and interprets the responses for retries.
package final class HTTPChannel: Sendable {
    private struct State {
        var isInterrupted = false
        /// The value of `Authorization` in the last request.
        var authorization = ""
        var cancel: (@Sendable () -> Void)?
        var client: HTTPClient?
        var group: MultiThreadedEventLoopGroup?
        var patience: HTTPPatience
    }

    /// The body of a request, and its properties.
    package struct Message: Sendable {
        package var method = "POST"
        /// The path that is added to the channel's address.
        package var path = ""
        package var body: [UInt8]
        package var contentType: String
        /// The idempotency key: equal for equal content; empty if none is needed.
        package var key: String
        /// Further headers; those of the configuration replace them.
        package var headers: [(name: String, value: String)] = []
        /// The number of records in it.
        package var count: Int
        /// Whether a response lists each record, so that its length depends on the message.
        package var hasLongResponse = false

        package init(_ body: [UInt8], contentType: String, key: String, count: Int) {
            self.body = body
            self.contentType = contentType
            self.key = key
            self.count = count
        }
    }

    /// The result of a request.
    package struct Outcome: Sendable {
        package var attempt: Attempt
        /// The status of the response; `nil`: there was none.
        package var status: Int?
        /// The meaning of the response; `nil`: there was none.
        package var kind: ResponseMeaning.Kind?
        private let headers: HTTPHeaders

        init(
            _ attempt: Attempt, status: Int? = nil, kind: ResponseMeaning.Kind? = nil,
            headers: HTTPHeaders = HTTPHeaders()
        ) {
            self.attempt = attempt
            self.status = status
            self.kind = kind
            self.headers = headers
        }

        /// Returns the first header of the response with a name.
        package func header(_ name: String) -> String? { headers.first(name: name) }
    }

    /// Scheme, host and port of the address, as messages show it.
    package let origin: String
    private let url: String
    private let options: HTTPDeliveryOptions
    private let name: String
    private let showsResponses: Bool
    private let state: Locked<State>
    private let process = ThisProcess.id

    /// The longest response that is read, in bytes.
    private static let longestResponse = 4 << 20

    /// - Parameters:
    ///   - name: The sink's name.
    ///   - showsResponses: Whether reasons contain the destination's responses, which may repeat what was sent.
    package init(_ url: String, _ options: HTTPDeliveryOptions, name: String, showsResponses: Bool = true) {
        self.url = url
        self.options = options
        self.name = name
        self.showsResponses = showsResponses
        state = Locked(State(patience: HTTPPatience(options.timeout)))
        origin = HTTPAddress.origin(of: url)
        if options.tls.insecure {
            Diagnostics.report("\(name): the certificate of \(origin) is not verified, as configured")
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

    /// Sends a message and waits for the response. One thread at a time.
    ///
    /// - Parameter meaning: Returns the meaning of a response, by its status and body.
    package func post(_ message: Message, meaning: (Int, [UInt8]) -> ResponseMeaning) -> Outcome {
        do {
            let request = try request(message)
            guard let client = try client() else { return Outcome(Attempt(.interrupted)) }
            let limit = state.withLock { $0.patience.limit(bytes: message.body.count) }
            let task = client.execute(
                request: request, delegate: ResponseAccumulator(request: request, maxBodySize: Self.longestResponse),
                deadline: .now() + .nanoseconds(limit.nanoseconds))
            let isLate = state.withLock { state in
                state.cancel = { task.cancel() }
                return state.isInterrupted
            }
            if isLate { task.cancel() }
            defer { state.withLock { $0.cancel = nil } }
            let response = try task.futureResult.wait()
            state.withLock { $0.patience.noteResponse() }
            return outcome(response, of: message, meaning)
        } catch let error as OptionError {
            return Outcome(Attempt(.denied, reason: "\(error)"))
        } catch {
            if state.withLock({ $0.isInterrupted }) { return Outcome(Attempt(.interrupted)) }
            // A certificate may have been renewed since: files are read again.
            if HTTPFailure.isOfTLS(error) { close() }
            let reason = ResponseText.line("\(origin): \(HTTPFailure.text(error))", without: secrets)
            // The response for fewer records is shorter.
            let isTooLong = error is ResponseAccumulator.ResponseTooBigError
            let mayBeShorter = isTooLong && message.hasLongResponse && message.count > 1
            var attempt = Attempt(
                mayBeShorter ? .tooLarge : .later(notBefore: nil), reason: reason,
                bytes: HTTPFailure.isBeforeRequest(error) ? 0 : message.body.count)
            if (error as? HTTPClientError) == .deadlineExceeded {
                attempt.isSlow = state.withLock { $0.patience.noteTimeout(bytes: message.body.count) }
            }
            return Outcome(attempt)
        }
    }

    /// The strings that must not be printed.
    private var secrets: [String] {
        let authorization = state.withLock { $0.authorization }
        let word = authorization.split(separator: " ").last.map(String.init) ?? ""
        // The destination may repeat a value such as `ApiKey KEY` without its first word.
        let headers = options.headers.values.flatMap { value in
            [value.text] + (value.text.split(separator: " ").last.map { [String($0)] } ?? [])
        }
        return headers + HTTPAddress.secrets(in: url) + [authorization, word]
            + [options.credentials.token, options.credentials.password].compactMap { $0?.text }
    }

    private func request(_ message: Message) throws -> HTTPClient.Request {
        var headers = HTTPHeaders()
        if !message.contentType.isEmpty { headers.add(name: "Content-Type", value: message.contentType) }
        headers.add(name: "User-Agent", value: "Taffrail")
        if !message.key.isEmpty {
            headers.add(name: "Idempotency-Key", value: "\"\(Self.word(name))-\(message.key)\"")
        }
        for header in message.headers { headers.replaceOrAdd(name: header.name, value: header.value) }
        if let authorization = try options.credentials.authorization() {
            state.withLock { $0.authorization = authorization }
            headers.add(name: "Authorization", value: authorization)
        }
        for (name, value) in options.headers.sorted(by: { $0.key < $1.key }) {
            headers.replaceOrAdd(name: name, value: value.text)
        }
        return try HTTPClient.Request(
            url: url + message.path, method: HTTPMethod(rawValue: message.method), headers: headers,
            body: message.method == "HEAD" ? nil : .byteBuffer(ByteBuffer(bytes: message.body)))
    }

    /// Returns a name as a part of a key.
    private static func word(_ name: String) -> String {
        String(
            decoding: name.utf8.map { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") ? $0 : UInt8(ascii: "_") },
            as: UTF8.self)
    }

    private func outcome(
        _ response: HTTPClient.Response, of message: Message, _ meaning: (Int, [UInt8]) -> ResponseMeaning
    ) -> Outcome {
        let status = Int(response.status.code)
        let body = response.body.map { Array($0.readableBytesView) } ?? []
        let meaning = Self.checked(
            meaning(status, body).responding(to: message.key, with: status), response, body, of: message.count)
        let text = showsResponses ? String(decoding: body.prefix(1 << 14), as: UTF8.self) : ""
        let shown = ResponseText.line(meaning.message.isEmpty ? text : meaning.message, without: secrets)
        let reason = "\(origin) returned \(status)" + (shown.isEmpty ? "" : ": \(shown)")
        let verdict: Attempt.Verdict
        switch meaning.kind {
        case .accepted(let refused): verdict = .accepted(refused: refused)
        case .later:
            let requested = response.headers.first(name: "Retry-After").flatMap {
                RetryAfter.time($0, date: response.headers.first(name: "Date"), now: SystemClock.wallNanoseconds())
            }
            verdict = .later(notBefore: requested)
        case .tooLarge: verdict = .tooLarge
        case .refused: verdict = .refused
        case .denied, .unsupported: verdict = .denied
        }
        var attempt = Attempt(verdict, reason: reason, bytes: message.body.count, refused: meaning.refused)
        attempt.isInProgress = meaning.isInProgress
        return Outcome(attempt, status: status, kind: meaning.kind, headers: response.headers)
    }

    /// Returns the meaning of a response for a number of records.
    private static func checked(
        _ meaning: ResponseMeaning, _ response: HTTPClient.Response, _ body: [UInt8], of count: Int
    ) -> ResponseMeaning {
        guard case .accepted = meaning.kind else { return meaning }
        if let listed = meaning.count, listed != count {
            return ResponseMeaning(.later, "the response has \(listed) items for \(count) records")
        }
        // A captive portal responds like this before the user has signed in.
        let isPage = response.headers.first(name: "Content-Type")?.lowercased().hasPrefix("text/html") ?? false
        if isPage, body.first(where: { $0 > 32 }) == UInt8(ascii: "<") {
            return ResponseMeaning(.later, "the response is a web page")
        }
        return meaning
    }

    // MARK: The client

    /// Returns the client, created with the first request; `nil` after ``interrupt()``.
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
        // A span for each request would be a record to send, and so cause another request.
        configuration.tracing.tracer = nil
        configuration.timeout.connect = .nanoseconds(min(options.timeout.nanoseconds, 10_000_000_000))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        // The uploader retries, with delays that grow.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.proxy = try HTTPProxy.proxy(for: url).map(\.client)
        return configuration
    }

    /// Makes a request that waits for its response end soon. Any thread may call; no request follows.
    package func interrupt() {
        let cancel = state.withLock { state in
            state.isInterrupted = true
            return state.cancel
        }
        cancel?()
    }

    /// Ends the client; the next request creates another one.
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
