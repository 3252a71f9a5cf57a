internal import TaffrailText

/// Decides what the client of a request may do: by a token in `Authorization`, or by the cookie of a browser that has logged
/// in with a token.
final class Gatekeeper: Sendable {
    private let file: TokenFile?
    private let anonymous: Access
    private let sessions = BrowserSessions()
    private let attempts = FailedAttempts()

    /// - Parameters:
    ///   - file: The tokens; `nil`: none are needed.
    ///   - anonymous: The access of clients in that case.
    init(_ file: TokenFile?, anonymous: Access = .all) {
        self.file = file
        self.anonymous = anonymous
    }

    /// Whether clients need tokens.
    var needsTokens: Bool { file != nil }

    /// Returns the access of a client; `nil` if it has neither a token nor a session but needs one.
    ///
    /// - Throws: 401 for a token that is not valid, 429 after too many of these, and 403 for a request by which a page could
    ///   make a browser change something.
    func access(of request: ServerRequest) throws(Problem) -> Access? {
        guard let file else { return anonymous }
        if let text = request.header("authorization") {
            guard let token = AccessTokens.token(in: text) else { throw Self.wrongToken }
            return try access(of: token, request).access
        }
        guard let session = sessions.session(of: request), let access = file.tokens.access(ofHash: session.token) else {
            return nil
        }
        let isReading = request.method == "GET" || request.method == "HEAD"
        // A form cannot have the header: that of /logout has a field, that of /login the token itself.
        let isForm = [Self.login, Self.logout].contains(request.target.path)
        guard isReading || isForm || Self.isSame(request.header("x-csrf-token"), session) else {
            throw Self.wrongSession
        }
        return access
    }

    /// Returns a function that reports whether the client of a request may still read. Answers without an end call it
    /// repeatedly, so that they do not outlive a token or a session.
    func readability(of request: ServerRequest) -> @Sendable () -> Bool {
        guard let file else { return { true } }
        if let text = request.header("authorization") {
            guard let token = AccessTokens.token(in: text) else { return { false } }
            let hash = SHA256.hash(token)
            return { file.tokens.access(ofHash: hash)?.roles.contains(.read) == true }
        }
        return { [sessions] in
            guard let session = sessions.session(of: request) else { return false }
            return file.tokens.access(ofHash: session.token)?.roles.contains(.read) == true
        }
    }

    /// The path of ``logIn(_:_:)``.
    static let login = "/login"
    /// The path of ``logOut(_:)``.
    static let logout = "/logout"

    private static let wrongToken = Problem(401, "the token is not valid")
    private static let wrongSession = Problem(403, "X-CSRF-Token is not that of GET /session")

    private func access(
        of token: [UInt8], _ request: ServerRequest
    ) throws(Problem) -> (access: Access, hash: [UInt8]) {
        let hash = SHA256.hash(token)
        let address = request.connection?.address ?? ""
        let access = file?.tokens.access(ofHash: hash)
        try attempts.note(address, hash: hash, length: token.count, isValid: access != nil)
        guard let access else { throw Self.wrongToken }
        return (access, hash)
    }

    // MARK: Browsers

    /// Logs a browser in.
    ///
    /// - Returns: Its access, the value of its cookie, and its session.
    func logIn(
        _ token: String, _ request: ServerRequest
    ) throws(Problem) -> (access: Access, cookie: String, session: BrowserSessions.Session) {
        let (access, hash) = try access(of: Array(token.utf8), request)
        // An earlier session of the browser ends: an attacker who has planted its cookie does not share the new one.
        sessions.end(of: request)
        let (cookie, session) = sessions.begin(hash)
        return (access, cookie, session)
    }

    /// Logs a browser out.
    ///
    /// - Throws: 403 if the request does not come from a page of this server.
    func logOut(_ request: ServerRequest) throws(Problem) {
        guard let session = sessions.session(of: request) else { return }
        let field = FormFields(request.body)?.first("csrf")
        guard Self.isSame(request.header("x-csrf-token") ?? field, session) else { throw Self.wrongSession }
        sessions.end(of: request)
    }

    /// Returns the session of a request; `nil` without one.
    func session(of request: ServerRequest) -> BrowserSessions.Session? { sessions.session(of: request) }

    /// Compares hashes, so that the time does not depend on how much is right.
    private static func isSame(_ text: String?, _ session: BrowserSessions.Session) -> Bool {
        guard let text else { return false }
        return SHA256.hash(Array(text.utf8)) == SHA256.hash(Array(session.csrf.utf8))
    }
}
