/// The permissions of a client.
package struct Access: Sendable, Hashable {
    /// The roles that a token can grant.
    package struct Roles: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Send records.
        package static let ingest = Roles(rawValue: 1)
        /// Read received records.
        package static let read = Roles(rawValue: 2)
        /// Send commands to plugins, including commands that delete.
        package static let control = Roles(rawValue: 4)

        /// The names of the roles in a token file.
        static let names: [(name: String, role: Roles)] = [("ingest", .ingest), ("read", .read), ("control", .control)]
    }

    /// The granted roles.
    package var roles: Roles
    /// The device of all records that the client sends; `nil`: the one in its requests.
    package var device: String?
    /// Identifies the token in this process, also after a change of the token file; 0 without a token.
    package var owner = 0
    /// The name of the token in the log; empty without a token.
    package var label = ""

    /// Everything but commands, for a server without tokens.
    package static let all = Access(roles: [.ingest, .read])
}
