/// The application of a server, which answers its requests.
package protocol ServerApplication: Sendable {
    /// Returns the route of a request, by everything but its body.
    ///
    /// - Throws: The reason for refusing it without reading its body.
    func route(_ request: ServerRequest) throws(Problem) -> ServerRoute

    /// Reports a response. Called once for each request, on any thread.
    func answered(_ status: Int)

    /// Ends unlimited bodies: the server is shutting down, and waits for a limited time only. Default: does nothing.
    func end()
}

extension ServerApplication {
    /// Does nothing.
    package func end() {}
}
