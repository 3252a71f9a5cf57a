internal import Taffrail
internal import TaffrailText

/// A response, independent of the connection.
package struct ServerAnswer: Sendable {
    /// The status.
    package var status: Int
    /// The headers, in lower case, besides `content-length`.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var body: [UInt8]
    /// A streamed body, instead of `body`.
    package var stream: ServerStream?

    /// Creates a response.
    package init(_ status: Int, _ contentType: String? = nil, _ body: [UInt8] = []) {
        self.status = status
        self.body = body
        // Browsers must neither run nor store the response.
        headers = [("x-content-type-options", "nosniff"), ("cache-control", "no-store")]
        if let contentType { headers.append(("content-type", contentType)) }
    }

    /// Returns a response in JSON.
    package static func json(_ text: String, status: Int = 200) -> ServerAnswer {
        ServerAnswer(status, "application/json", Array(text.utf8))
    }

    /// Returns a response that contains a JSON object.
    static func json(_ fields: [LogValueEntry]) -> ServerAnswer {
        ServerAnswer(200, "application/json", LogValue.map(fields).json)
    }

    /// Returns the first header of a name.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
