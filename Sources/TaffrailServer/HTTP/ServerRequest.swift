internal import Taffrail

/// A request, independent of the connection by which it has arrived.
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
    /// The connection by which it has arrived.
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

    /// The media type of the body, in lower case and without parameters; empty if the client did not name one.
    package var mediaType: String {
        let value = header("content-type")?.lowercased() ?? ""
        return String(value.prefix { $0 != ";" && $0 != " " })
    }
}

/// The path and the query of a request.
package struct ServerTarget: Sendable {
    /// The path, decoded; it starts with a slash.
    package let path: String
    /// The parameters of the query, decoded, in order.
    package let query: [(name: String, value: String)]
    /// The target as it was sent.
    let text: String

    /// Parses a target.
    ///
    /// - Returns: `nil` if it is not an absolute path, is not UTF-8, or has control characters, empty parts, `.` or `..`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.first == "/", let path = PercentText.decoded(parts[0].utf8),
            !path.utf8.contains(where: { $0 < 32 || $0 == 127 || $0 == UInt8(ascii: "\\") })
        else { return nil }
        let names = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPlain = names.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
        // An encoded slash would otherwise split a name in two.
        guard isPlain || path == "/", parts[0].utf8.count(where: { $0 == UInt8(ascii: "/") }) == names.count else {
            return nil
        }
        self.path = path
        self.text = String(text)
        guard parts.count == 2 else {
            query = []
            return
        }
        guard let fields = FormFields(Array(parts[1].utf8)) else { return nil }
        query = fields.all
    }

    /// Returns the first value of a parameter.
    package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
