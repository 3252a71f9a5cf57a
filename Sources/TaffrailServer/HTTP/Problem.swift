internal import TaffrailQuery

/// The reason why a request fails.
package struct Problem: Error, Sendable, Hashable {
    private let details: ProblemDetails
    /// The methods that the path allows.
    package var allowed: [String] = []
    /// Whether the response is for a script in a browser, which must not open a password prompt.
    var isForScript = false

    /// Creates a problem.
    package init(_ status: Int, _ detail: String, retryAfter: Duration? = nil) {
        details = ProblemDetails(status, detail, retryAfter: retryAfter)
    }

    /// The status of the answer.
    package var status: Int { details.status }
    /// The description of the problem, for the author of the client.
    package var detail: String { details.detail }
    /// The value of the header `Retry-After`, in whole seconds.
    package var retryAfter: Duration? { details.retryAfter }

    /// Returns the problem of an invalid request.
    static func bad(_ detail: String) -> Problem { Problem(400, detail) }

    /// The path is unknown.
    static let notFound = Problem(404, "there is nothing at this path")

    /// The server is shutting down.
    static let shuttingDown = Problem(503, "the server is shutting down", retryAfter: .seconds(1))

    /// The system did not create a thread.
    static let outOfThreads = Problem(503, "out of threads", retryAfter: .seconds(1))

    /// The problem as an answer.
    package var answer: ServerAnswer {
        completed(ServerAnswer(status, ProblemDetails.mediaType, details.json))
    }

    /// Adds the headers that the status requires.
    func completed(_ answer: ServerAnswer) -> ServerAnswer {
        var answer = answer
        if let retryAfter { answer.headers.append(("retry-after", "\(retryAfter.components.seconds)")) }
        if !allowed.isEmpty { answer.headers.append(("allow", allowed.joined(separator: ", "))) }
        if status == 401 {
            // OwnTracks supports only the second one.
            let basic = isForScript ? "" : ", Basic realm=\"taffrail\""
            answer.headers.append(("www-authenticate", "Bearer realm=\"taffrail\"\(basic)"))
        }
        return answer
    }
}
