internal import TaffrailText

/// Determines the permissions of a client by a token in `Authorization`, or by the cookie of a browser that has logged
/// in with a token.
final class Gatekeeper: Sendable {
    private let file: TokenFile?
    private let anonymous: Access
    private let sessions = BrowserSessions()
    private let attempts = FailedAttempts()

    /// - Parameters:
    ///   - file: The tokens; `nil`: none are required.
    ///   - anonymous: The access of clients if none are required.
    init(_ file: TokenFile?, anonymous: Access = .all) {
        self.file = file
        self.anonymous = anonymous
    }

    /// Whether tokens are required.
    var needsTokens: Bool { file != nil }

    /// Returns the access of a client; `nil` if it requires a token or a session but has neither.
    ///
    /// - Throws: 401 for an invalid token, 429 after too many of them, and 403 for a browser's request with side
    ///   effects that lacks the CSRF token.
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
        // A form cannot send the header: /logout checks a field, and /login the token itself.
        let isForm = [Self.login, Self.logout].contains(request.target.path)
        guard isReading || isForm || Self.isSame(request.header("x-csrf-token"), session) else {
            throw Self.wrongSession
        }
        return access
    }

    /// Returns a function that reports whether the client of a request may still read. Unlimited responses call it
    /// repeatedly, so that they end with the token or the session.
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
    private static let wrongSession = Problem(403, "X-CSRF-Token is not the value of csrf returned by GET /session")

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
        // Ends an earlier session of the browser, whose cookie an attacker may have planted.
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

    /// Compares hashes, so that the time does not depend on the number of correct characters.
    private static func isSame(_ text: String?, _ session: BrowserSessions.Session) -> Bool {
        guard let text else { return false }
        return SHA256.hash(Array(text.utf8)) == SHA256.hash(Array(session.csrf.utf8))
    }
}
