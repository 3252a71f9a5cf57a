internal import Taffrail
internal import TaffrailText

/// Refuses requests that pages of other sites make a browser send to this server.
package struct RequestOrigin: Sendable {
    /// The names by which clients may call this server, besides addresses and `localhost`; `nil`: any name.
    package var hosts: Set<String>?

    /// Allows names; `nil` allows any.
    package init(hosts: Set<String>?) { self.hosts = hosts.map { Set($0.map { $0.lowercased() }) } }

    /// Checks the headers of a request.
    package func check(_ request: ServerRequest) throws(Problem) {
        let hosts = request.headers.count { $0.name == "host" }
        guard hosts == 1, let host = request.header("host"), let name = Self.name(of: host) else {
            throw .bad("the request must have one valid Host header")
        }
        guard isAllowed(name) else {
            // A page whose name resolves to this machine: DNS rebinding.
            throw Problem(421, "\"\(name)\" is not a name of this server; see the option hosts")
        }
        let isSafe = ["same-origin", "none", nil].contains(request.header("sec-fetch-site"))
        guard isSafe || Self.isNavigation(request) else {
            throw Problem(403, "requests from other websites are refused")
        }
        guard let origin = request.header("origin") else { return }
        guard let scheme = origin.firstRange(of: "://"), origin[scheme.upperBound...].lowercased() == host.lowercased()
        else {
            throw Problem(403, "requests from other websites are refused")
        }
    }

    /// Returns whether a browser follows a link: the page with the link cannot read the response, and the browser sends
    /// no cookie.
    private static func isNavigation(_ request: ServerRequest) -> Bool {
        request.method == "GET" && request.header("sec-fetch-mode") == "navigate"
            && request.header("sec-fetch-dest") == "document"
    }

    /// Checks the headers of a `GET` request that writes: a page can make a browser send it by an image, without the
    /// headers that identify pages if the server uses neither TLS nor a loopback address.
    static func checkWrite(_ request: ServerRequest) throws(Problem) {
        let accepts = request.header("accept")?.lowercased() ?? ""
        let isBrowser =
            request.header("referer") != nil || request.header("cookie") != nil || accepts.contains("image/")
            || accepts.contains("text/html") || request.header("user-agent")?.lowercased().hasPrefix("mozilla/") == true
        guard !isBrowser else { throw Problem(403, "browsers must use POST here") }
    }

    private func isAllowed(_ name: String) -> Bool {
        guard let hosts else { return true }
        return name == "localhost" || Self.isAddress(name) || hosts.contains(name)
    }

    /// Returns whether a name is an IP address. Such a name cannot be rebound: the client has connected to it.
    static func isAddress(_ name: String) -> Bool {
        if name.contains(":") { return name.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && $0.allSatisfy(\.isNumber) }
    }

    /// Returns the name in `NAME:PORT`, in lower case and without brackets.
    static func name(of host: String) -> String? {
        var name = Substring(host.lowercased())
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return nil }
            let rest = name[name.index(after: end)...]
            guard rest.isEmpty || isPort(rest) else { return nil }
            name = name[name.index(after: name.startIndex)..<end]
            return name.contains(":") && isAddress(String(name)) ? String(name) : nil
        }
        if let colon = name.firstIndex(of: ":") {
            guard isPort(name[colon...]) else { return nil }
            name = name[..<colon]
        }
        if name.hasSuffix(".") { name.removeLast() }
        let isName = name.utf8.allSatisfy { $0.isLetterOrDigit || "-._".utf8.contains($0) }
        return isName && !name.isEmpty ? String(name) : nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        let parts = HostAndPort(text)
        return parts.host.isEmpty && parts.number != nil
    }
}
