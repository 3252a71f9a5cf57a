/// A body without a length, which is written as it is produced.
package struct ServerStream: Sendable {
    /// The media type of server-sent events.
    static let mediaType = "text/event-stream"

    /// Waits for the next bytes, and returns them; `nil` at the end. Not called again before the connection has sent
    /// them, so that nothing accumulates for a slow client.
    package var next: @Sendable () async -> SharedBytes?
    /// Ends the stream: called once the client has disconnected, and after the end. ``next`` then returns `nil`.
    package var end: @Sendable () -> Void

    /// Creates a body.
    package init(next: @escaping @Sendable () async -> SharedBytes?, end: @escaping @Sendable () -> Void) {
        self.next = next
        self.end = end
    }
}
