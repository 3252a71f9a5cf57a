#if HTTP
public import Taffrail
internal import TaffrailHTTP
internal import TaffrailText

/// The address of a table of OpenTelemetry's exporter for ClickHouse:
/// `clickhouse://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE[?table=TABLE&password_file=FILE]`. The port is that of
/// ClickHouse's HTTP interface; `clickhouses` uses TLS.
///
/// `CLICKHOUSE_USER` and `CLICKHOUSE_PASSWORD` are used if the address contains no user or password. The password file
/// is read for each request.
public struct ClickHouseAddress: Sendable, Hashable, CustomStringConvertible {
    /// Whether the connection uses TLS.
    public var isSecure = false
    /// The host; an IPv6 address is in brackets.
    public var host = ""
    /// The port of the HTTP interface. Default: 8123, or 8443 with TLS.
    public var port = 8123
    /// The database.
    public var database = ""
    /// The table. Default: `otel_logs`.
    public var table = "otel_logs"
    /// The user; `nil`: the user in the environment, or `default`.
    public var user: String?
    /// A file that contains the password.
    public var passwordFile: String?
    /// The user's password.
    private var password: Secret?

    /// The schemes.
    private static let schemes = [("clickhouse://", false), ("clickhouses://", true)]

    /// Parses an address.
    ///
    /// - Throws: ``Taffrail/OptionError``, whose reason contains no part of a user or password.
    public init(parsing text: String) throws(OptionError) {
        func problem(_ reason: String) -> OptionError { OptionError("clickhouse", reason) }
        guard let (scheme, isSecure) = Self.schemes.first(where: { text.hasPrefix($0.0) }) else {
            throw problem("must be clickhouse://HOST:PORT/DATABASE")
        }
        self.isSecure = isSecure
        port = isSecure ? 8443 : 8123
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        var tail = rest.dropFirst(authority.count)
        var place = authority
        if let at = authority.lastIndex(of: "@") {
            place = authority[authority.index(after: at)...]
            let names = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let user = names.first.flatMap({ PercentText.decoded($0.utf8) }), !user.isEmpty else {
                throw problem("has no user before @")
            }
            self.user = user
            if names.count > 1 {
                guard let word = PercentText.decoded(names[1].utf8) else {
                    throw problem("has a password that is not percent-encoded")
                }
                password = Secret(word)
            }
        }
        let parts = HostAndPort(place)
        if let digits = parts.port, !digits.contains("]") {
            guard let number = parts.number, number > 0 else { throw problem("port must be from 1 to 65535") }
            port = Int(number)
            place = parts.host
        }
        guard !parts.name.isEmpty, place.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { throw problem("has no host") }
        host = String(place)
        if tail.first == "/" { tail = tail.dropFirst() }
        let path = tail.prefix { !"?#".contains($0) }
        guard let database = PercentText.decoded(path.utf8), !database.isEmpty, !database.contains("/") else {
            throw problem("must name one database after the host, such as clickhouse://\(host):\(port)/default")
        }
        self.database = database
        try readOptions(tail.dropFirst(path.count))
    }

    /// Reads the options after `?`.
    private mutating func readOptions(_ text: Substring) throws(OptionError) {
        func problem(_ reason: String) -> OptionError { OptionError("clickhouse", reason) }
        guard let mark = text.first else { return }
        guard mark == "?" else { throw problem("must not have a fragment (#)") }
        for option in text.dropFirst().split(separator: "&") {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let value = PercentText.decoded(parts[1].utf8), !value.isEmpty else {
                throw problem("must have options such as table=otel_logs after ?")
            }
            switch parts[0] {
            case "table": table = value
            case "password_file":
                guard password == nil else { throw problem("must not have both a password and a password_file") }
                passwordFile = DestinationPath.resolved(value)
            // Not printed: its value may be a secret.
            default: throw problem("has an unknown option: expected table or password_file")
            }
        }
    }

    /// The address without credentials.
    public var description: String { "\(isSecure ? "clickhouses" : "clickhouse")://\(host):\(port)/\(database)" }

    /// The URL of the HTTP interface.
    var url: String { "\(isSecure ? "https" : "http")://\(host):\(port)/" }

    /// Returns the current user and password.
    func credentials() throws(OptionError) -> (user: String?, password: Secret?) {
        let user = user ?? Environment["CLICKHOUSE_USER"]
        if let passwordFile {
            do throws(SystemError) {
                let file = try FileDescriptor(passwordFile, .read)
                let text = String(decoding: try file.read(min(try file.size, 64 << 10), at: 0), as: UTF8.self)
                return (user, Secret(String(text.prefix { !$0.isNewline })))
            } catch {
                throw OptionError("password_file", "\(error)")
            }
        }
        return (user, password ?? Environment["CLICKHOUSE_PASSWORD"].map { Secret($0) })
    }
}
#endif
