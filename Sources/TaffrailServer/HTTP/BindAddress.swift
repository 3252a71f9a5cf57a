package import Taffrail
internal import TaffrailText

/// The address at which a server listens.
package struct BindAddress: Sendable, Hashable {
    /// A name or a numeric address, without brackets.
    package let host: String
    /// The port; 0: any free port.
    package let port: Int

    /// Parses `HOST:PORT`; an IPv6 address is in brackets.
    package init?(_ text: String) {
        let parts = HostAndPort(text[...])
        guard let port = parts.number, !parts.name.isEmpty else { return nil }
        let isBracketed = parts.name != parts.host
        guard isBracketed || !(parts.host.hasPrefix("[") || parts.host.contains(":")) else { return nil }
        host = String(parts.name)
        self.port = Int(port)
    }

    /// Parses an address, and checks that it is safe to listen on.
    ///
    /// - Parameter isGuarded: Whether other machines are allowed to reach it.
    /// - Throws: ``OptionError`` about the option `bind`.
    package static func checked(_ text: String, isGuarded: Bool) throws(OptionError) -> BindAddress {
        guard let address = BindAddress(text) else { throw OptionError("bind", "must be HOST:PORT") }
        guard address.isLoopback || isGuarded else {
            throw OptionError("bind", "is open to other machines: this requires token_file, or insecure: true")
        }
        return address
    }

    /// Whether only programs on this machine can reach it.
    package var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        return host.hasPrefix("127.") && RequestOrigin.isAddress(host)
    }
}
