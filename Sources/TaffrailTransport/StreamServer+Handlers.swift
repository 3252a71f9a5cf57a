extension StreamServer {
    /// Callbacks for events of a client, on the server's thread.
    package struct Handlers: Sendable {
        /// The client connected; the result is sent to it first.
        let joined: @Sendable (ClientID) -> [UInt8]
        /// The client sent a line; the result is sent to it.
        let line: @Sendable (ClientID, [UInt8]) -> [UInt8]
        /// The client sent a line that was too long and was dropped; the result is sent to it.
        let overlong: @Sendable (ClientID) -> [UInt8]
        /// The client disconnected.
        let left: @Sendable (ClientID) -> Void
        /// Whether unterminated input counts as a line. Default: never.
        let isWhole: @Sendable ([UInt8]) -> Bool
        /// Whether a semicolon also ends a line: gpsd's requests end with one, with or without a line break.
        let splitsAtSemicolons: Bool

        package init(
            joined: @escaping @Sendable (ClientID) -> [UInt8] = { _ in [] },
            line: @escaping @Sendable (ClientID, [UInt8]) -> [UInt8] = { _, _ in [] },
            overlong: @escaping @Sendable (ClientID) -> [UInt8] = { _ in [] },
            left: @escaping @Sendable (ClientID) -> Void = { _ in },
            isWhole: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }, splitsAtSemicolons: Bool = true
        ) {
            self.joined = joined
            self.line = line
            self.overlong = overlong
            self.left = left
            self.isWhole = isWhole
            self.splitsAtSemicolons = splitsAtSemicolons
        }
    }
}
