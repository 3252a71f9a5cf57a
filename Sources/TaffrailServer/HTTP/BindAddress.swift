package import Taffrail

/// The address at which a server listens.
package struct BindAddress: Sendable, Hashable {
    /// A name or a numeric address, without brackets.
    package let host: String
    /// The port; 0: one that is free.
    package let port: Int

    /// Parses `HOST:PORT`; an IPv6 address is in brackets.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("[") {
            guard host.hasSuffix("]") else { return nil }
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = Int(port)
    }

    /// Parses an address that is safe to listen at.
    ///
    /// - Parameter isGuarded: Whether other machines may reach it.
    /// - Throws: ``OptionError`` about the option `bind`.
    package static func checked(_ text: String, isGuarded: Bool) throws(OptionError) -> BindAddress {
        guard let address = BindAddress(text) else { throw OptionError("bind", "must be HOST:PORT") }
        guard address.isLoopback || isGuarded else {
            throw OptionError("bind", "is open to other machines: that needs token_file, or insecure: true")
        }
        return address
    }

    /// Whether only programs of this machine can reach it.
    package var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        return host.hasPrefix("127.") && RequestOrigin.isAddress(host)
    }
}
