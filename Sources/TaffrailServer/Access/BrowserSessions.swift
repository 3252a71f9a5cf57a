internal import Taffrail
internal import TaffrailText

/// Browsers that have logged in with a token. Their cookie contains a random string instead of the token.
///
/// Kept in memory: browsers must log in again after the program has ended.
final class BrowserSessions: Sendable {
    /// The session of a browser that has logged in.
    struct Session: Sendable {
        /// The hash of the token, which must still be valid.
        let token: [UInt8]
        /// The value that requests with side effects must send in `X-CSRF-Token`; pages of other sites cannot read it.
        let csrf: String
        /// The end of the session, by the monotonic clock.
        let end: Int64
    }

    /// The name of the cookie.
    static let cookie = "taffrail_session"
    /// How long a browser is logged in.
    static let duration = Duration.hours(12)
    private static let limit = 1_000

    /// By the hashes of the cookies' values, so that the time of a lookup discloses nothing about a value.
    private let sessions = Locked<[[UInt8]: Session]>([:])
    private let now: @Sendable () -> Int64

    /// - Parameter now: The monotonic time, in nanoseconds.
    init(now: @escaping @Sendable () -> Int64 = { SystemClock.monotonicNanoseconds() }) { self.now = now }

    /// Logs a browser in with the hash of a valid token.
    ///
    /// - Returns: The value of its cookie, and the session.
    func begin(_ token: [UInt8]) -> (cookie: String, session: Session) {
        let cookie = RandomText.make()
        let now = now()
        let session = Session(token: token, csrf: RandomText.make(), end: now + Self.duration.nanoseconds)
        sessions.withLock { sessions in
            if sessions.count >= Self.limit { sessions = sessions.filter { $0.value.end > now } }
            if sessions.count >= Self.limit, let key = Self.replaceable(in: sessions) { sessions[key] = nil }
            sessions[SHA256.hash(Array(cookie.utf8))] = session
        }
        return (cookie, session)
    }

    /// Returns the oldest session of the token with the most sessions, so that one token cannot end those of others.
    private static func replaceable(in sessions: [[UInt8]: Session]) -> [UInt8]? {
        let shares = Dictionary(grouping: sessions, by: \.value.token)
        let largest = shares.values.max { $0.count < $1.count }
        return largest?.min { $0.value.end < $1.value.end }?.key
    }

    /// Returns the session of a request; `nil` without a valid one.
    func session(of request: ServerRequest) -> Session? {
        guard let cookie = Self.cookie(in: request) else { return nil }
        let key = SHA256.hash(Array(cookie.utf8))
        let now = now()
        return sessions.withLock { sessions in
            guard let session = sessions[key], session.end > now else {
                sessions[key] = nil
                return nil
            }
            return session
        }
    }

    /// Logs the browser of a request out.
    func end(of request: ServerRequest) {
        guard let cookie = Self.cookie(in: request) else { return }
        let key = SHA256.hash(Array(cookie.utf8))
        sessions.withLock { $0[key] = nil }
    }

    /// Returns the value of the cookie in a request.
    private static func cookie(in request: ServerRequest) -> String? {
        for header in request.headers where header.name == "cookie" {
            for pair in header.value.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookie else { continue }
                return String(parts[1])
            }
        }
        return nil
    }

    /// Returns the value of `Set-Cookie`.
    ///
    /// - Parameters:
    ///   - value: The value of the cookie; `nil` removes it.
    ///   - isSecure: Whether browsers send the cookie over TLS only.
    static func setCookie(_ value: String?, isSecure: Bool) -> String {
        let age = value == nil ? 0 : duration.components.seconds
        return "\(cookie)=\(value ?? ""); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(age)"
            + (isSecure ? "; Secure" : "")
    }
}
