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

    /// The host without the brackets around it.
    package var name: Substring {
        host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
    }
}
