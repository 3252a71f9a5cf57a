#if HTTP
package import AsyncHTTPClient
package import Taffrail

/// The proxy of the environment: `HTTPS_PROXY` or `http_proxy`, unless `NO_PROXY` names the host.
package struct HTTPProxy: Equatable {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    package var client: HTTPClient.Configuration.Proxy { .server(host: host, port: port) }

    /// The proxy for a URL; `nil`: none.
    ///
    /// - Throws: ``OptionError`` when it makes no sense.
    package static func proxy(
        for url: String, environment: (String) -> String? = { Environment[$0] }
    ) throws(OptionError) -> HTTPProxy? {
        let isSecure = url.lowercased().hasPrefix("https:")
        // The name in upper case may come from a request of CGI.
        let names = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        guard let name = names.first(where: { environment($0) != nil }), let text = environment(name) else {
            return nil
        }
        let host = Self.host(of: url).name
        let exceptions = environment("no_proxy") ?? environment("NO_PROXY") ?? ""
        for exception in exceptions.split(whereSeparator: { $0 == "," || $0 == " " }) {
            let domain = exception.hasPrefix(".") ? exception.dropFirst() : exception
            if exception == "*" || host == domain || host.hasSuffix("." + domain) { return nil }
        }
        let (proxy, port) = Self.host(of: text.contains("://") ? text : "http://" + text)
        guard !proxy.isEmpty, !text.contains("@"), !text.hasPrefix("https:") else {
            throw OptionError(name, "must be a proxy's address, such as http://proxy:3128")
        }
        return HTTPProxy(host: proxy, port: port ?? 80)
    }

    private static func host(of url: String) -> (name: String, port: Int?) {
        let origin = HTTPAddress.origin(of: url)
        guard let start = origin.lastIndex(of: "/") else { return ("", nil) }
        let authority = origin[origin.index(after: start)...]
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else {
            return (String(authority.filter { $0 != "[" && $0 != "]" }), nil)
        }
        let name = authority[..<colon].filter { $0 != "[" && $0 != "]" }
        return (String(name), Int(authority[authority.index(after: colon)...]))
    }
}
#endif
