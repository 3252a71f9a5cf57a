/// The handler of an admitted request.
package struct ServerRoute: Sendable {
    /// The maximum size of the body, both as sent and decompressed, in bytes.
    package var bodyLimit: Int
    /// Answers the complete request. Must not block for long.
    package var answer: @Sendable (ServerRequest) async -> ServerAnswer

    /// Creates a route.
    package init(bodyLimit: Int, answer: @escaping @Sendable (ServerRequest) async -> ServerAnswer) {
        self.bodyLimit = bodyLimit
        self.answer = answer
    }
}
