/// The permissions of a token's owner.
package struct Access: Sendable, Hashable {
    /// The permissions that a client can have.
    package struct Roles: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Send records.
        package static let ingest = Roles(rawValue: 1)
        /// Read what was sent.
        package static let read = Roles(rawValue: 2)
        /// Send commands to plugins, some of which delete.
        package static let control = Roles(rawValue: 4)

        /// The names of the roles in a token file.
        static let names: [(name: String, role: Roles)] = [("ingest", .ingest), ("read", .read), ("control", .control)]
    }

    /// The granted roles.
    package var roles: Roles
    /// The device under whose name it sends, whatever its requests claim; `nil`: any.
    package var device: String?
    /// Distinguishes the owner from others in this process, also after a change of the token file; 0 without a token.
    package var owner = 0
    /// The name of the token in the log; empty without a token.
    package var label = ""

    /// Everything but commands, for a server without tokens.
    package static let all = Access(roles: [.ingest, .read])
}
