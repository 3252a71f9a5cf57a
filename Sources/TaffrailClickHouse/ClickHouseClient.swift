#if HTTP
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailHTTP
internal import TaffrailQuery
internal import TaffrailText

/// Sends queries to ClickHouse's HTTP interface. Threads may share it; event loop threads must not call it.
final class ClickHouseClient: Sendable {
    private let address: ClickHouseAddress
    private let client: HTTPClient
    private let process = ThisProcess.id

    /// The maximum size of a response, in bytes.
    private static let longestResponse = 32 << 20
    /// The time limit of a query without a ``TaffrailQuery/QueryBudget``.
    private static let longest = Duration.seconds(30)

    /// - Throws: ``Taffrail/OptionError`` if the proxy in the environment is malformed.
    init(_ address: ClickHouseAddress) throws(OptionError) {
        self.address = address
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.tracing.tracer = nil
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
        // An unreachable server is reported at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.proxy = try HTTPProxy.proxy(for: address.url).map(\.client)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        // In a forked child, the client has no threads that could shut it down.
        guard process == ThisProcess.id else {
            _ = Unmanaged.passRetained(client)
            return
        }
        client.shutdown().whenComplete { _ in }
    }

    /// Returns the rows of a query, as `RowBinary`.
    ///
    /// - Parameter settings: Settings of the query, in addition to its time limit.
    func rows(
        _ query: String, settings: [(name: String, value: String)] = [], limitsTime: Bool = true
    ) throws(ClickHouseFailure) -> RowBytes {
        let budget = QueryBudget.current
        let left = budget?.timeLeft ?? Self.longest
        guard left > .zero, budget?.isOver != true else { throw .late }
        var settings = settings
        if limitsTime { settings.append(("max_execution_time", "\(left.components.seconds + 1)")) }
        let credentials: (user: String?, password: Secret?)
        do throws(OptionError) { credentials = try address.credentials() } catch {
            throw .unreachable("\(address): \(error)")
        }
        let secrets = [credentials.password?.text].compactMap { $0 }
        do {
            let request = try request(query, settings, credentials)
            let task = client.execute(
                request: request, delegate: ResponseAccumulator(request: request, maxBodySize: Self.longestResponse),
                deadline: .now() + .nanoseconds(left.nanoseconds))
            let watch = budget.map { budget in
                task.eventLoop.scheduleRepeatedTask(initialDelay: .milliseconds(100), delay: .milliseconds(100)) { _ in
                    if budget.isOver { task.cancel() }
                }
            }
            defer { watch?.cancel() }
            let response = try task.futureResult.wait()
            let body = response.body.map { Array($0.readableBytesView) } ?? []
            guard response.status == .ok else {
                let text = ResponseText.line(String(decoding: body.prefix(1 << 14), as: UTF8.self), without: secrets)
                let code = response.headers.first(name: "X-ClickHouse-Exception-Code").flatMap { Int($0) }
                throw ClickHouseFailure.refused(code ?? 0, "\(address) returned \(response.status.code): \(text)")
            }
            return RowBytes(body)
        } catch let failure as ClickHouseFailure {
            throw failure
        } catch is ResponseAccumulator.ResponseTooBigError {
            throw .tooBig
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .cancelled {
            throw .late
        } catch {
            throw .unreachable(ResponseText.line("\(address): \(HTTPFailure.text(error))", without: secrets))
        }
    }

    private func request(
        _ query: String, _ settings: [(name: String, value: String)], _ credentials: (user: String?, password: Secret?)
    ) throws -> HTTPClient.Request {
        var headers = HTTPHeaders([("User-Agent", "Taffrail"), ("Content-Type", "text/plain; charset=utf-8")])
        if let user = credentials.user ?? (credentials.password == nil ? nil : "default") {
            let text = "\(user):\(credentials.password?.text ?? "")"
            headers.add(name: "Authorization", value: "Basic " + Base64.encoded(text.utf8))
        }
        // ClickHouse then sends the status after the whole query has run.
        var url = address.url + "?default_format=RowBinary&wait_end_of_query=1"
        for setting in settings { url += "&\(setting.name)=\(setting.value)" }
        return try HTTPClient.Request(
            url: url, method: .POST, headers: headers, body: .byteBuffer(ByteBuffer(string: query)))
    }
}
#endif
