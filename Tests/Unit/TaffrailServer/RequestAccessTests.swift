import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailServer

/// Who may do what, without connections.
@Suite struct RequestAccessTests {
    private static func request(
        _ method: String, _ target: String, _ headers: [(name: String, value: String)] = [], body: String = "",
        from address: String = "192.0.2.1"
    ) throws -> ServerRequest {
        var request = ServerRequest(
            method, try #require(ServerTarget(target)), headers: headers, body: Array(body.utf8))
        request.connection = ClientConnection(address: address)
        return request
    }

    private static func gate(_ folder: TemporaryDirectory) throws -> Gatekeeper {
        try folder.write("reader read name=wheelhouse\nsender ingest device=ferry\nowner read control\n", to: "tokens")
        return Gatekeeper(try TokenFile(folder.file("tokens")))
    }

    @Test func `a token has roles, a device and a label, which is not the token`() throws {
        let tokens = AccessTokens("abc read name=desk\nabd\nabe control\nabf name=\nabg write\n")
        #expect(tokens.access(of: Array("abc".utf8))?.label == "desk")
        #expect(tokens.access(of: Array("abd".utf8))?.roles == [.ingest, .read])
        // The start of the hash, as sha256sum prints it.
        #expect(tokens.access(of: Array("abd".utf8))?.label == "a52d159f")
        #expect(tokens.access(of: Array("abe".utf8))?.roles == .control)
        #expect(tokens.problems.map(\.reason).joined().contains("line 4") && tokens.problems.count == 2)
    }

    @Test func `a browser is logged in by a cookie that is not the token, until the token is removed`() throws {
        let folder = TemporaryDirectory()
        let gate = try Self.gate(folder)
        let (access, cookie, session) = try gate.logIn("reader", try Self.request("POST", "/login"))
        #expect(access.roles == .read && access.label == "wheelhouse")
        #expect(cookie.utf8.count == 64 && session.csrf.utf8.count == 64 && cookie != session.csrf)
        for header in ["taffrail_session=\(cookie)", "a=b; taffrail_session=\(cookie); c=d"] {
            #expect(try gate.access(of: Self.request("GET", "/logs", [("cookie", header)])) == access)
        }
        for header in ["", "taffrail_session=", "taffrail_session=\(cookie)0", "taffrail_sessio=\(cookie)", cookie] {
            #expect(try gate.access(of: Self.request("GET", "/logs", [("cookie", header)])) == nil)
        }
        try folder.write("sender\n", to: "tokens")
        #expect(try gate.access(of: Self.request("GET", "/logs", [("cookie", "taffrail_session=\(cookie)")])) == nil)
    }

    @Test func `a request that changes something needs the token of the session besides the cookie`() throws {
        let folder = TemporaryDirectory()
        let gate = try Self.gate(folder)
        let (_, cookie, session) = try gate.logIn("owner", try Self.request("POST", "/login"))
        let (_, _, other) = try gate.logIn("owner", try Self.request("POST", "/login"))
        let header = (name: "cookie", value: "taffrail_session=\(cookie)")
        for method in ["POST", "PUT", "DELETE"] {
            for csrf in [nil, "", "x", other.csrf] {
                let headers = [header] + (csrf.map { [("x-csrf-token", $0)] } ?? [])
                let problem = #expect(throws: Problem.self) {
                    try gate.access(of: Self.request(method, "/control/log-store", headers))
                }
                #expect(problem?.status == 403)
            }
            let headers = [header, ("x-csrf-token", session.csrf)]
            #expect(
                try gate.access(of: Self.request(method, "/control/log-store", headers))?.roles == [.read, .control])
        }
        let wrong = try Self.request("POST", "/logout", [header], body: "csrf=x")
        #expect(throws: Problem.self) { try gate.logOut(wrong) }
        #expect(try gate.access(of: Self.request("GET", "/logs", [header])) != nil)
        try gate.logOut(try Self.request("POST", "/logout", [header], body: "csrf=\(session.csrf)"))
        #expect(try gate.access(of: Self.request("GET", "/logs", [header])) == nil)
    }

    @Test func `a session ends after half a day, and their number is limited`() throws {
        let clock = ManualTime()
        let sessions = BrowserSessions(now: { clock.now })
        let first = sessions.begin([1])
        func session(_ cookie: String) throws -> BrowserSessions.Session? {
            sessions.session(of: try Self.request("GET", "/", [("cookie", "taffrail_session=\(cookie)")]))
        }
        clock.advance(12 * 3_600 * 1_000_000_000 - 1)
        #expect(try session(first.cookie) != nil)
        clock.advance(1)
        #expect(try session(first.cookie) == nil)
        let other = sessions.begin([2]).cookie
        let others = (0..<1_001).map { _ in
            clock.advance(1)
            return sessions.begin([1]).cookie
        }
        #expect(try session(others[1]) == nil && session(others[2]) != nil && session(others[1_000]) != nil)
        // Many logins with one token end none of another, though that is the oldest.
        #expect(try session(other) != nil)
    }

    private final class ManualTime: Sendable {
        private let time = Locked(Int64(1))
        var now: Int64 { time.withLock { $0 } }
        func advance(_ nanoseconds: Int64) { time.withLock { $0 += nanoseconds } }
    }

    /// Sends tokens, and expects the time in seconds after which it may send one again.
    private struct Guesser {
        let clock = ManualTime()
        let attempts: FailedAttempts

        init() { attempts = FailedAttempts(now: { [clock] in clock.now }) }

        func wait(_ address: String, _ token: Int, isValid: Bool = false, length: Int = 8) -> Int {
            let hash = withUnsafeBytes(of: token.bigEndian) { Array($0) }
            do throws(Problem) {
                try attempts.note(address, hash: hash, length: length, isValid: isValid)
                return 0
            } catch {
                #expect(error.status == 429)
                return error.retryAfter.map { Int($0.components.seconds) } ?? -1
            }
        }
    }

    @Test func `wrong tokens are limited for each address, and its valid ones are still accepted`() throws {
        let guesser = Guesser()
        #expect(guesser.wait("192.0.2.1", 1, isValid: true) == 0)
        for token in 10..<20 { #expect(guesser.wait("192.0.2.1", token) == 0) }
        #expect(guesser.wait("192.0.2.1", 20) == 7 && guesser.wait("::ffff:192.0.2.1", 20) == 7)
        // One that may have been guessed is not accepted either, unless it was sent before.
        #expect(guesser.wait("192.0.2.1", 2, isValid: true) == 7 && guesser.wait("192.0.2.1", 1, isValid: true) == 0)
        #expect(guesser.wait("192.0.2.2", 2, isValid: true) == 0)
        guesser.clock.advance(6_000_000_000)
        #expect(guesser.wait("192.0.2.1", 20) == 0 && guesser.wait("192.0.2.1", 21) > 0)
        // A token that is no longer valid is one like any other.
        #expect(guesser.wait("192.0.2.1", 1) > 0 && guesser.wait("192.0.2.1", 1, isValid: true) > 0)
        guesser.clock.advance(100_000_000_000)
        #expect(guesser.wait("192.0.2.1", 1, isValid: true) == 0)
        for token in 10..<20 { #expect(guesser.wait("198.51.100.9", token) == 0) }
        for n in 0..<10_000 { #expect(guesser.wait("192.0.\(n / 256).\(n % 256)", 2) == 0) }
        // Of too many addresses those are forgotten that may try again first.
        #expect(guesser.wait("198.51.100.9", 20) > 0)
        #expect(guesser.wait("198.51.100.1", 2) == 0)
    }

    @Test func `a client with an old token locks out no other of its address`() throws {
        let guesser = Guesser()
        for _ in 0..<100 { #expect(guesser.wait("192.0.2.1", 10) == 0) }
        #expect(guesser.wait("192.0.2.1", 1, isValid: true) == 0)
        // An attacker at the same address locks out none whose token cannot be guessed.
        for token in 11..<40 { _ = guesser.wait("192.0.2.1", token) }
        #expect(guesser.wait("192.0.2.1", 40) > 0 && guesser.wait("192.0.2.1", 2, isValid: true) > 0)
        #expect(guesser.wait("192.0.2.1", 3, isValid: true, length: 20) == 0)
        // The old token is still answered as what it is.
        #expect(guesser.wait("192.0.2.1", 10) == 0)
    }

    @Test func `even long tokens cannot be tried without a limit, and one that is in use stays valid`() throws {
        let guesser = Guesser()
        #expect(guesser.wait("192.0.2.1", 1, isValid: true, length: 40) == 0)
        for token in 100..<1_099 { _ = guesser.wait("192.0.2.1", token, length: 40) }
        #expect(guesser.wait("192.0.2.1", 2, isValid: true, length: 40) == 0)
        for token in 2_000..<4_000 { #expect(guesser.wait("192.0.2.1", token, length: 40) > 0) }
        // What an attacker finds then is refused as any other, and may be sent again after that time.
        #expect(guesser.wait("192.0.2.1", 3, isValid: true, length: 40) == 1)
        #expect(guesser.wait("192.0.2.1", 1, isValid: true, length: 40) == 0)
        #expect(guesser.wait("192.0.2.1", 2, isValid: true, length: 40) == 0)
        #expect(guesser.wait("192.0.2.2", 3, isValid: true, length: 40) == 0)
        guesser.clock.advance(1_000_000_000)
        #expect(guesser.wait("192.0.2.1", 3, isValid: true, length: 40) == 0)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2/64"), ("2001:db8:1:2::9", "2001:db8:1:2/64"),
        ("::1", "/64"), ("fe80::1%eth0", "fe80/64"), ("::ffff:192.0.2.1", "192.0.2.1"), ("", ""),
    ])
    func `a client is known by its address, or by its network of IPv6`(address: String, network: String) {
        #expect(FailedAttempts.network(address) == network)
    }

    @Test func `what a token does is counted, and logged once in an hour for each address`() throws {
        let audit = AccessAudit()
        let access = try #require(AccessTokens("a name=desk").access(of: Array("a".utf8)))
        let request = try Self.request("POST", "/logs")
        let record = try #require(audit.note(access, "lines", request, isLoggedEachTime: false))
        #expect(record.eventName == "taffrail.access" && record["taffrail.access.token"] == "desk")
        #expect(record["taffrail.access.action"] == "lines" && record["client.address"] == "192.0.2.1")
        #expect(audit.note(access, "lines", request, isLoggedEachTime: false) == nil)
        #expect(
            audit.note(access, "lines", try Self.request("POST", "/logs", from: "192.0.2.9"), isLoggedEachTime: false)
                != nil)
        for _ in 0..<2 { #expect(audit.note(access, "control", request, isLoggedEachTime: true) != nil) }
        #expect(audit.note(.all, "lines", request, isLoggedEachTime: false) == nil)
        #expect(audit.counts.map { "\($0.token) \($0.action) \($0.count)" } == ["desk control 2", "desk lines 3"])
    }

    @Test func `logins of a token are logged each time, up to a limit, and commands without one`() throws {
        let clock = ManualTime()
        let audit = AccessAudit(now: { clock.now })
        let access = try #require(AccessTokens("a read name=desk").access(of: Array("a".utf8)))
        let request = try Self.request("POST", "/login")
        func logged(_ count: Int, isLogin: Bool, _ request: ServerRequest) -> Int {
            (0..<count).count { _ in
                audit.note(access, isLogin ? "login" : "control", request, isLoggedEachTime: true, isLogin: isLogin)
                    != nil
            }
        }
        #expect(logged(1_000, isLogin: true, request) == 61)
        #expect(logged(1_000, isLogin: false, request) == 1_000)
        // A new address is logged nevertheless.
        #expect(try logged(10, isLogin: true, Self.request("POST", "/login", from: "192.0.2.9")) == 1)
        clock.advance(3_600_000_000_000)
        #expect(logged(1_000, isLogin: true, request) == 61)
    }

    @Test(arguments: [
        ("/", "/"), ("/map?device=a&since=-1h", "/map?device=a&since=-1h"), (nil, nil), ("", nil),
        ("//evil.example", nil),
        ("/\\evil.example", nil), ("https://evil.example/", nil), ("/a b", nil), ("/a\r\nSet-Cookie: x=y", nil),
        ("/../x", nil), ("javascript:alert(1)", nil),
    ])
    func `only pages of this server follow a login`(path: String?, wanted: String?) {
        #expect(LoginPage.local(path) == wanted)
    }

    @Test func `the first page without a viewer lets a browser log out`() {
        let page = String(decoding: StartPage.answer(csrf: "a\"b").body, as: UTF8.self)
        #expect(page.contains("action=\"/logout\"") && page.contains("value=\"a&quot;b\""))
        #expect(!String(decoding: StartPage.answer(csrf: nil).body, as: UTF8.self).contains("form"))
    }

    @Test func `the login page escapes what it shows`() throws {
        let answer = LoginPage.answer(next: "/?a=\"><script>&b", problem: Problem(401, "<b>"))
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(
            !text.contains("<script>") && !text.contains("<b>")
                && text.contains("value=\"/?a=&quot;>&lt;script>&amp;b\"")
                && text.contains("<a href=\"/?a=&quot;>&lt;script>&amp;b\">"))
        #expect(answer.status == 401 && answer.header("www-authenticate") != nil)
        #expect(answer.header("content-security-policy")?.contains("default-src 'none'") == true)
    }
}
