#if HTTP
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import Taffrail
internal import TaffrailHTTP

/// Fetches responses of a server by HTTP. TLS certificates are verified; the proxy is that in the environment.
final class NominatimClient: Sendable {
    /// The maximum size of a response, in bytes.
    private static let longestResponse = 256 << 10

    private let client: HTTPClient
    private let timeout: TimeAmount
    /// The name by which operators of public servers, which require it, recognize the program.
    private let agent: String

    /// - Parameters:
    ///   - address: The server.
    ///   - timeout: The time limit of a request, and of a connection.
    /// - Throws: ``OptionError`` if the proxy in the environment is malformed.
    init(_ address: String, timeout: Duration = .seconds(10)) throws(OptionError) {
        let timeout = TimeAmount(timeout)
        self.timeout = timeout
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = timeout
        configuration.proxy = try HTTPProxy.proxy(for: address)?.client
        configuration.redirectConfiguration = .disallow
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let agent = "\(Environment.program) (Taffrail)"
        self.agent = HTTPAddress.isHeaderValue(agent) ? agent : "Taffrail"
    }

    deinit { client.shutdown { _ in } }

    func fetch(_ url: String) async throws -> NominatimGeocoder.Response {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: agent)
        request.headers.add(name: "Accept", value: "application/json")
        let response = try await client.execute(request, timeout: timeout)
        let body = try await response.body.collect(upTo: Self.longestResponse)
        let now = SystemClock.wallNanoseconds()
        let notBefore = response.headers.first(name: "Retry-After").flatMap {
            RetryAfter.time($0, date: response.headers.first(name: "Date"), now: now)
        }
        return NominatimGeocoder.Response(
            status: Int(response.status.code), retryAfter: notBefore.map { .nanoseconds(max(0, $0 &- now)) },
            body: Array(body.readableBytesView))
    }
}
#endif
