#if HTTP
internal import Taffrail
internal import TaffrailText

/// The syntax of addresses and headers.
package enum HTTPAddress {
    /// Returns the reason why nothing can be sent to a URL; `nil` if it is valid.
    package static func problem(in url: String) -> String? {
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { url.lowercased().hasPrefix($0) }) else {
            return "must start with https:// or http://"
        }
        guard url.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return "must be printable ASCII without spaces" }
        let authority = url.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        // Addresses are printed, credentials must not be.
        if authority.contains("@") { return "must not contain a user or password; use the options for them" }
        let parts = HostAndPort(authority)
        if parts.name.isEmpty || authority.hasPrefix(":") { return "has no host" }
        if let digits = parts.port, !digits.isEmpty, parts.number ?? 0 == 0 { return "port must be from 1 to 65535" }
        return nil
    }

    /// Returns scheme and host, and the port if there is one, as messages show them.
    package static func origin(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2 else { return url }
        return "\(parts[0])//\(parts[2].prefix { $0 != "?" && $0 != "#" })"
    }

    /// Identifies a receiver in messages: its URL, and a checksum of the parts that must not be shown.
    ///
    /// - Parameter more: Strings that identify the receiver in addition to the URL.
    package static func identity(of url: String, _ more: [String]) -> String {
        let origin = origin(of: url)
        let path = url.dropFirst(origin.count)
        let address = origin.lowercased() + (path.isEmpty ? "/" : path)
        let hasKey = secrets(in: url).contains { !$0.isEmpty }
        let shown = hasKey ? origin.lowercased() : address
        let hidden = (hasKey ? [address] : []) + more
        guard !hidden.isEmpty else { return shown }
        let sum = Array(hidden.joined(separator: "\n").utf8).withUnsafeBytes { Checksum.crc32c($0) }
        return "\(shown) (\(HexText.string(sum, width: 8)))"
    }

    /// Parts of an address that may be a key: its query, the values in the query, and long parts of its path.
    static func secrets(in url: String) -> [String] {
        let path = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first ?? ""
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let words = (parts.first ?? "").split(separator: "/").filter { $0.utf8.count >= shortestKey }
        let query = parts.dropFirst().joined()
        let values = query.split(separator: "&").compactMap { $0.split(separator: "=", maxSplits: 1).last }
        return ([query[...]] + words + values).map(String.init)
    }

    /// Shorter parts of a path are names, such as `v1` and `logs`.
    private static let shortestKey = 16

    package static func isHeaderName(_ name: String) -> Bool {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        return !name.isEmpty && name.utf8.allSatisfy { $0.isLetterOrDigit || marks.contains($0) }
    }

    package static func isHeaderValue(_ value: String) -> Bool { value.utf8.allSatisfy { $0 >= 32 && $0 < 127 } }
}
#endif
