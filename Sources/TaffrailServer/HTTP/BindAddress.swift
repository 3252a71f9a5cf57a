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

    /// Whether only programs of this machine can reach it.
    package var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        return host.hasPrefix("127.") && RequestOrigin.isAddress(host)
    }
}
