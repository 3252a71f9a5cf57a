/// The parts of an address such as `HOST:PORT`, as written; the caller checks whether they are valid.
package struct HostAndPort {
    /// The host: an IPv6 address with its brackets.
    package let host: Substring
    /// The text after the last colon; `nil` if there is none, or if the address ends with a bracket.
    package let port: Substring?

    /// Splits an address.
    package init(_ text: Substring) {
        let colon = text.hasSuffix("]") ? nil : text.lastIndex(of: ":")
        host = text[..<(colon ?? text.endIndex)]
        port = colon.map { text[text.index(after: $0)...] }
    }

    /// Returns the address of a host and a port, with an IPv6 address in brackets.
    package static func text(_ host: String, _ port: Int) -> String {
        "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The port as a number; `nil` if it does not consist of digits, or is above 65535.
    package var number: UInt16? {
        // The initializer accepts a sign.
        guard let port, port.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return UInt16(port)
    }

    /// The host without the brackets around it.
    package var name: Substring {
        host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
    }
}
