extension StreamServer {
    /// Callbacks for events of a client, on the server's thread.
    package struct Handlers: Sendable {
        /// The client connected; the result is sent to it first.
        package var joined: @Sendable (ClientID) -> [UInt8]
        /// The client sent a line; the result is sent to it.
        package var line: @Sendable (ClientID, [UInt8]) -> [UInt8]
        /// The client disconnected.
        package var left: @Sendable (ClientID) -> Void
        /// The client sent a line that was too long and was dropped; the result is sent to it.
        package var overlong: @Sendable (ClientID) -> [UInt8] = { _ in [] }
        /// Whether a semicolon also ends a line: gpsd's requests end with one, with or without a line break.
        package var splitsAtSemicolons = true

        /// Whether unterminated input counts as a line. Default: never.
        package var isWhole: @Sendable ([UInt8]) -> Bool

        package init(
            joined: @escaping @Sendable (ClientID) -> [UInt8] = { _ in [] },
            line: @escaping @Sendable (ClientID, [UInt8]) -> [UInt8] = { _, _ in [] },
            left: @escaping @Sendable (ClientID) -> Void = { _ in },
            isWhole: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
        ) {
            self.isWhole = isWhole
            self.joined = joined
            self.line = line
            self.left = left
        }
    }
}
