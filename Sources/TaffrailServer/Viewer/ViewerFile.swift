internal import Taffrail
internal import TaffrailText

/// A file that browsers load.
struct ViewerFile: Sendable {
    /// Its content.
    let bytes: [UInt8]
    /// The content in gzip; `nil` if it is missing or no smaller.
    let compressed: [UInt8]?
    /// Its media type.
    let type: String
    /// A tag that changes with its content.
    let tag: String

    /// The sources that a page may load: only this server, and no inline scripts or styles.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

    private static let types = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "png": "image/png", "svg": "image/svg+xml",
    ]

    /// Creates a file; `nil` if its extension is not one that browsers may load.
    ///
    /// - Parameter compressed: The content in gzip. Default: compressed here if it is text.
    init?(named name: String, _ bytes: [UInt8], compressed: [UInt8]? = nil) {
        let ending = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) }
        guard let ending, let type = Self.types[ending] else { return nil }
        self.bytes = bytes
        self.type = type
        let gzip = compressed ?? (ending == "png" ? nil : GzipBytes.compressed(bytes, level: 9))
        self.compressed = gzip.flatMap { $0.count < bytes.count ? $0 : nil }
        tag = HexText.string(SHA256.hash(bytes).prefix(12))
    }

    /// Returns the response to a request: 304 if the browser has this content.
    func answer(to request: ServerRequest) -> ServerAnswer {
        let coding = compressed == nil ? nil : Self.acceptsGzip(request) ? "gzip" : "identity"
        let name = "\"\(tag)\(coding == "gzip" ? "-gzip" : "")\""
        var answer = ServerAnswer(Self.isKnown(name, request) ? 304 : 200)
        // Files change with the program: browsers revalidate each time, and mostly get 304.
        answer.headers = [
            ("cache-control", "no-cache"), ("etag", name), ("content-security-policy", Self.policy),
            // The address of a page contains queries.
            ("referrer-policy", "same-origin"), ("x-content-type-options", "nosniff"),
        ]
        if coding != nil { answer.headers.append(("vary", "accept-encoding")) }
        guard answer.status == 200 else { return answer }
        answer.headers.append(("content-type", type))
        if coding == "gzip", let compressed {
            answer.headers.append(("content-encoding", "gzip"))
            answer.body = compressed
        } else {
            answer.body = bytes
        }
        return answer
    }

    private static func acceptsGzip(_ request: ServerRequest) -> Bool {
        let codings = request.header("accept-encoding")?.lowercased().split(separator: ",") ?? []
        return codings.contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " } }
            let isRefused = parts.contains { $0.hasPrefix("q=") && DecimalText.double($0.dropFirst(2)) == 0 }
            return parts.first == "gzip" && !isRefused
        }
    }

    private static func isKnown(_ name: String, _ request: ServerRequest) -> Bool {
        let known = request.header("if-none-match")?.split(separator: ",") ?? []
        return known.contains { one in
            let one = one.filter { $0 != " " }
            return one == "*" || one == name || one == "W/" + name
        }
    }
}
