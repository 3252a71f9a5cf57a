/// A request, independent of its connection.
package struct ServerRequest: Sendable {
    /// The method, in capitals.
    package var method: String
    /// The target as sent: the path and the query.
    package var target: ServerTarget
    /// Names in lower case, in the order in which they were sent.
    package var headers: [(name: String, value: String)]
    /// The decompressed body; empty until the request is admitted.
    package var body: [UInt8]
    /// Its share of the memory of all requests; `nil` without a connection.
    package var memory: MemoryShare?
    /// The connection on which it arrived.
    package var connection: ClientConnection?

    /// Creates a request.
    package init(
        _ method: String, _ target: ServerTarget, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// Returns the first header of a name, in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The media type of the body, in lower case and without parameters; empty if the client did not specify one.
    package var mediaType: String {
        let value = header("content-type")?.lowercased() ?? ""
        return String(value.prefix { $0 != ";" && $0 != " " })
    }
}
