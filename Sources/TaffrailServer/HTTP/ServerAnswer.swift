internal import Taffrail
internal import TaffrailText

/// An answer, independent of the connection.
package struct ServerAnswer: Sendable {
    /// The status.
    package var status: Int
    /// The headers, in lower case, besides `content-length`.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var body: [UInt8]
    /// A streamed body, in place of `body`.
    package var stream: ServerStream?

    /// Creates an answer.
    package init(_ status: Int, _ contentType: String? = nil, _ body: [UInt8] = []) {
        self.status = status
        self.body = body
        // Browsers must neither run nor store the answer.
        headers = [("x-content-type-options", "nosniff"), ("cache-control", "no-store")]
        if let contentType { headers.append(("content-type", contentType)) }
    }

    /// Returns an answer in JSON.
    package static func json(_ text: String, status: Int = 200) -> ServerAnswer {
        ServerAnswer(status, "application/json", Array(text.utf8))
    }

    /// An object in JSON.
    static func json(_ fields: [LogValueEntry]) -> ServerAnswer {
        ServerAnswer(200, "application/json", LogValue.map(fields).json)
    }

    /// The first header of a name.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The reason why a request fails: a problem of RFC 9457.
package struct Problem: Error, Sendable, Hashable {
    /// The status of the answer.
    package var status: Int
    /// The problem of this request, for the author of the client.
    package var detail: String
    /// The value of the header `Retry-After`, in seconds.
    package var retryAfter: Int?
    /// The methods that the path allows.
    package var allowed: [String] = []
    /// Whether a script in a browser gets the answer, where a demand for a password would open a window.
    var isForScript = false

    /// Creates a problem.
    package init(_ status: Int, _ detail: String, retryAfter: Int? = nil) {
        self.status = status
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// Returns a body that cannot be read.
    static func bad(_ detail: String) -> Problem { Problem(400, detail) }

    /// The system has refused a thread.
    static let outOfThreads = Problem(503, "out of threads", retryAfter: 1)

    /// The problem as an answer.
    package var answer: ServerAnswer {
        completed(ServerAnswer(status, ProblemDetails.mediaType, ProblemDetails(status, detail).json))
    }

    /// Adds the headers that the status needs.
    func completed(_ answer: ServerAnswer) -> ServerAnswer {
        var answer = answer
        if let retryAfter { answer.headers.append(("retry-after", "\(retryAfter)")) }
        if !allowed.isEmpty { answer.headers.append(("allow", allowed.joined(separator: ", "))) }
        if status == 401 {
            // OwnTracks knows only the second one.
            let basic = isForScript ? "" : ", Basic realm=\"taffrail\""
            answer.headers.append(("www-authenticate", "Bearer realm=\"taffrail\"\(basic)"))
        }
        return answer
    }
}
