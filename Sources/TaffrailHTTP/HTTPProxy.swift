#if HTTP
package import AsyncHTTPClient
package import Taffrail
internal import TaffrailText

/// The proxy of the environment: `HTTPS_PROXY` or `http_proxy`, unless `NO_PROXY` names the host. Its address may
/// contain a user and a password.
package struct HTTPProxy: Equatable {
    package var host: String
    package var port: Int
    /// The user and the password that it requires, with a colon between them; `nil`: none.
    package var credentials: Secret?

    package init(host: String, port: Int, credentials: Secret? = nil) {
        self.host = host
        self.port = port
        self.credentials = credentials
    }

    package var client: HTTPClient.Configuration.Proxy {
        .server(
            host: host, port: port,
            authorization: credentials.map { .basic(credentials: Base64.encoded($0.text.utf8)) })
    }

    /// Returns the proxy for a URL; `nil`: none.
    ///
    /// - Throws: ``OptionError`` when it is malformed.
    package static func proxy(
        for url: String, environment: (String) -> String? = { Environment[$0] }
    ) throws(OptionError) -> HTTPProxy? {
        let isSecure = url.lowercased().hasPrefix("https:")
        // The name in upper case may be set by a CGI request.
        let names = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        guard let name = names.first(where: { environment($0) != nil }), let text = environment(name) else {
            return nil
        }
        let (hostName, hostPort) = Self.host(of: url)
        let host = hostName.lowercased()
        let exceptions = environment("no_proxy") ?? environment("NO_PROXY") ?? ""
        for exception in exceptions.split(whereSeparator: { $0 == "," || $0 == " " }) {
            let text = exception.lowercased()
            // An IPv6 address without brackets has no port.
            let isBare = text.count { $0 == ":" } > 1 && !text.contains("]")
            let (name, port) = isBare ? (text, nil) : Self.host(of: "http://" + text)
            if let port, port != hostPort ?? (isSecure ? 443 : 80) { continue }
            let domain = name.hasPrefix(".") ? String(name.dropFirst()) : name
            if exception == "*" || host == domain || host.hasSuffix("." + domain) { return nil }
        }
        let (address, credentials) = Self.split(text.contains("://") ? text : "http://" + text)
        let (proxy, port) = Self.host(of: address)
        guard address.lowercased().hasPrefix("http:"), HTTPAddress.problem(in: address) == nil else {
            throw OptionError(name, "must be a proxy's address, such as http://proxy:3128")
        }
        return HTTPProxy(host: proxy, port: port ?? 80, credentials: credentials)
    }

    /// Returns an address without its user and password, and those two.
    private static func split(_ url: String) -> (address: String, credentials: Secret?) {
        guard let start = url.firstRange(of: "://")?.upperBound else { return (url, nil) }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard let end = authority.lastIndex(of: "@") else { return (url, nil) }
        let parts = authority[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts.map { PercentText.decoded($0.utf8, isLenient: true) ?? String($0) }
        return (
            String(url[..<start] + url[authority.index(after: end)...]),
            Secret(words[0] + ":" + (words.count > 1 ? words[1] : ""))
        )
    }

    private static func host(of url: String) -> (name: String, port: Int?) {
        let origin = HTTPAddress.origin(of: url)
        guard let start = origin.lastIndex(of: "/") else { return ("", nil) }
        let parts = HostAndPort(origin[origin.index(after: start)...])
        let name = parts.host.filter { $0 != "[" && $0 != "]" }
        return (String(name), parts.port.flatMap { Int($0) })
    }
}
#endif
