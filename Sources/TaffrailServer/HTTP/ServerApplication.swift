/// The application of a server, which answers its requests.
package protocol ServerApplication: Sendable {
    /// Finds the route of a request, given all of it but its body.
    ///
    /// - Throws: The reason for refusing it without reading its body.
    func route(_ request: ServerRequest) throws(Problem) -> ServerRoute

    /// Reports an answer. Called once for each request, on any thread.
    func answered(_ status: Int)

    /// Ends unlimited bodies: the server is shutting down, and waits only for a limited time. Default: does nothing.
    func end()
}

extension ServerApplication {
    /// Does nothing.
    package func end() {}
}

/// The handler of an admitted request.
package struct ServerRoute: Sendable {
    /// The most bytes of the body, both as sent and decompressed.
    package var bodyLimit: Int
    /// Answers the complete request. Must not wait for long.
    package var answer: @Sendable (ServerRequest) async -> ServerAnswer

    /// Creates a route.
    package init(bodyLimit: Int, answer: @escaping @Sendable (ServerRequest) async -> ServerAnswer) {
        self.bodyLimit = bodyLimit
        self.answer = answer
    }
}
