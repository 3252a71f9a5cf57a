import Taffrail
import TaffrailTestSupport
import TaffrailText
import Testing

@testable import TaffrailServer

/// What is checked before a request is answered.
@Suite struct RequestCheckTests {
    @Test(arguments: [
        "", "ping", "//ping", "/a//b", "/./a", "/a/..", "/%2e%2e/a", "/a%2Fb", "/a%00", "/a%0a", "/a\\b", "/a%5cb",
        "/%zz",
        "/%", "/a%ff", "/ping/", "/a?%zz", "http://host/ping", "*",
    ])
    func `a target that is no plain path is refused`(text: String) { #expect(ServerTarget(text) == nil) }

    @Test func `a target has a decoded path and parameters`() throws {
        let target = try #require(ServerTarget("/a%20b/%C3%B8?limit=5&u=J%C3%B8+n&flag&=x"))
        #expect(target.path == "/a b/ø" && target.parameter("limit") == "5" && target.parameter("u") == "Jø n")
        #expect(target.parameter("flag") == "" && target.query.count == 4)
        #expect(ServerTarget("/")?.path == "/")
        #expect(FormFields(Array(String(repeating: "a=1&", count: 300).utf8)) == nil)
    }

    private func status(_ headers: [(name: String, value: String)], hosts: Set<String>? = ["ferry.lan"]) -> Int {
        guard let target = ServerTarget("/ping") else { return 0 }
        do throws(Problem) {
            try RequestOrigin(hosts: hosts).check(ServerRequest("POST", target, headers: headers))
            return 200
        } catch {
            return error.status
        }
    }

    @Test(arguments: [
        ("localhost:8787", 200), ("127.0.0.1:8787", 200), ("[::1]:8787", 200), ("192.168.1.7", 200),
        ("FERRY.LAN:8787", 200),
        ("ferry.lan.", 200), ("evil.example", 421), ("evil.example:8787", 421), ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421), ("1.2.3", 421), ("1.2.3.256", 421), ("", 400), ("a b", 400), ("a:b", 400),
        ("[::1", 400), ("[evil]", 400), ("a/b", 400), ("ferry.lan:99999", 400), ("user@localhost", 400),
    ])
    func `only names of this machine are accepted, because others can be made to point to it`(host: String, wanted: Int)
    {
        #expect(status([("host", host)]) == wanted)
    }

    @Test func `a server with tokens may have any name, and a request has one host`() {
        #expect(status([("host", "any.example")], hosts: nil) == 200)
        #expect(status([]) == 400)
        #expect(status([("host", "localhost"), ("host", "evil.example")]) == 400)
    }

    @Test func `a link of another site can be opened, but not be sent by a script or shown in a frame`() throws {
        func status(_ method: String, _ mode: String, _ destination: String) throws -> Int {
            let headers = [
                ("host", "localhost"), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", mode),
                ("sec-fetch-dest", destination),
            ]
            let request = ServerRequest(method, try #require(ServerTarget("/login")), headers: headers)
            do throws(Problem) { try RequestOrigin(hosts: []).check(request) } catch { return error.status }
            return 200
        }
        #expect(try status("GET", "navigate", "document") == 200)
        for (method, mode, destination) in [
            ("POST", "navigate", "document"), ("GET", "navigate", "iframe"), ("GET", "no-cors", "image"),
            ("GET", "cors", "empty"),
        ] { #expect(try status(method, mode, destination) == 403) }
    }

    @Test(arguments: [
        ("http://localhost:8787", 200), ("HTTP://LOCALHOST:8787", 200), ("http://localhost", 403), ("null", 403),
        ("http://evil.example", 403), ("http://evil.example/localhost:8787", 403), ("", 403),
    ])
    func `pages of other sites are refused`(origin: String, wanted: Int) {
        #expect(status([("host", "localhost:8787"), ("origin", origin)]) == wanted)
    }

    @Test(arguments: [("same-origin", 200), ("none", 200), ("cross-site", 403), ("same-site", 403)])
    func `what a browser reports about a request counts`(site: String, wanted: Int) {
        #expect(status([("host", "localhost"), ("sec-fetch-site", site)]) == wanted)
    }

    @Test func `tokens are kept as hashes, with roles and a device`() throws {
        let hash = "sha256:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
        let tokens = AccessTokens("# clients\n\nplain\r\n\(hash) ingest device=ferry-1\nviewer read\n")
        #expect(tokens.access(of: Array("plain".utf8))?.roles == [.ingest, .read])
        let ferry = tokens.access(of: Array("secret".utf8))
        #expect(ferry?.roles == .ingest && ferry?.device == "ferry-1")
        #expect(tokens.access(of: Array("viewer".utf8))?.roles == .read)
        for wrong in ["", "secre", "secret ", hash, "# clients", "ingest"] {
            #expect(tokens.access(of: Array(wrong.utf8)) == nil, "\(wrong)")
        }
        #expect(!"\(tokens)".contains("plain"))
    }

    @Test(arguments: ["", "# only\n", "sha256:12", "secret write", "secret device=", "secret device"])
    func `a token file that is invalid is refused without its text`(text: String) throws {
        let folder = TemporaryDirectory()
        try folder.write(text, to: "tokens")
        let error = #expect(throws: OptionError.self) { try TokenFile(folder.file("tokens")) }
        #expect(error?.reason.contains("secret") == false, "\(String(describing: error))")
    }

    @Test(arguments: [
        ("Bearer abc", "abc"), ("bearer  abc", "abc"), ("Basic am86c2VjcmV0OjE=", "secret:1"), ("Basic !", nil),
        ("Basic am8=", nil), ("Digest abc", nil), ("abc", nil), ("", nil),
    ])
    func `a token is a bearer's or a password`(header: String, token: String?) {
        #expect(AccessTokens.token(in: header).map { String(decoding: $0, as: UTF8.self) } == token)
    }

    @Test func `a token is valid only while the token file contains it`() throws {
        let folder = TemporaryDirectory()
        try folder.write("one\ntwo\n", to: "tokens")
        let file = try TokenFile(folder.file("tokens"))
        func areValid(_ tokens: String...) -> [Bool] { tokens.map { file.tokens.access(of: Array($0.utf8)) != nil } }
        #expect(areValid("one", "two") == [true, true])
        // A line that is invalid does not keep a token that was removed with it.
        try folder.write("two\nthree what\nfour\n", to: "tokens")
        #expect(areValid("one", "two", "three", "four") == [false, true, false, true])
        try folder.write("", to: "tokens")
        #expect(areValid("", "two", "four") == [false, false, false])
        try folder.write("five\n", to: "tokens")
        #expect(areValid("five") == [true])
        try FileName.remove(folder.file("tokens"))
        #expect(areValid("five") == [false])
        try folder.write("five\n", to: "tokens")
        #expect(areValid("five") == [true])
        try folder.write("five\n" + String(repeating: "#", count: 1 << 20), to: "tokens")
        #expect(areValid("five") == [false])
        #expect(throws: OptionError.self) { try TokenFile(folder.file("missing")) }
    }

    @Test(arguments: [
        ("referer", "http://evil.example/"), ("cookie", "a=b"), ("accept", "image/avif,image/webp,*/*;q=0.8"),
        ("accept", "text/html,*/*"), ("user-agent", "Mozilla/5.0 (X11)"),
    ])
    func `a browser cannot be made to write by GET`(name: String, value: String) throws {
        let target = try #require(ServerTarget("/osmand?id=1"))
        #expect(throws: Problem.self) {
            try RequestOrigin.checkWrite(ServerRequest("GET", target, headers: [(name, value)]))
        }
        try RequestOrigin.checkWrite(
            ServerRequest("GET", target, headers: [("accept", "*/*"), ("user-agent", "okhttp/4.9")]))
    }

    @Test(arguments: [
        ("", [UInt8]()), ("AP8=", [0, 255]), ("AP8", [0, 255]), ("_-8=", [255, 239]), ("AAAA", [0, 0, 0]),
    ])
    func `base64 is decoded`(text: String, bytes: [UInt8]) { #expect(Base64.decoded(text.utf8) == bytes) }

    @Test(arguments: ["A", "AA=", "A===", "A=AA", "A A=", "AAAA="])
    func `what is not base64 is not decoded`(text: String) { #expect(Base64.decoded(text.utf8) == nil) }

    @Test(arguments: [
        ("127.0.0.1:8787", true), ("127.1.2.3:1", true), ("localhost:0", true), ("[::1]:8787", true),
        ("0.0.0.0:8787", false),
        ("[::]:8787", false), ("192.168.1.1:80", false), ("127.evil.example:80", false), ("ferry.lan:80", false),
    ])
    func `loopback is what only this machine reaches`(text: String, isLoopback: Bool) {
        #expect(BindAddress(text)?.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", "8787", ":8787", "[]:8787", "host", "host:", "host:x", "host:65536", "host:-1", "host:+1", "::1:8787",
        "[::1:80",
    ])
    func `an address has a host and a port`(text: String) { #expect(BindAddress(text) == nil) }

    // MARK: Bodies

    private func decoded(_ body: [UInt8], _ coding: String?, limit: Int) -> Result<[UInt8], Problem> {
        do throws(Problem) { return .success(try BodyDecoding.decoded(body, coding, limit: limit)) } catch {
            return .failure(error)
        }
    }

    @Test func `gzip is decompressed up to the limit`() throws {
        let text = Array(String(repeating: "hello ", count: 1_000).utf8)
        let packed = try #require(GzipBytes.compressed(text))
        #expect(decoded(packed, "gzip", limit: 6_000) == .success(text))
        #expect(decoded(packed, "GZIP", limit: 6_000) == .success(text))
        #expect(decoded(text, nil, limit: 1) == .success(text))
        for (body, coding, status) in [
            (packed, "gzip", 413), (Array(packed.dropLast(9)), "gzip", 400), (text, "gzip", 400), ([], "gzip", 400),
            (packed, "br", 415), (packed, "gzip, gzip", 415),
        ] {
            let limit = status == 413 ? 5_999 : 6_000
            guard case .failure(let problem) = decoded(body, coding, limit: limit) else {
                Issue.record("\(coding) was accepted")
                continue
            }
            #expect(problem.status == status)
        }
    }

    @Test func `a bomb is not unpacked`() throws {
        var bomb = [UInt8](repeating: 0, count: 64 << 20)
        bomb = try #require(GzipBytes.compressed(bomb))
        #expect(bomb.count < 1 << 20)
        guard case .failure(let problem) = decoded(bomb, "gzip", limit: 1 << 20) else {
            Issue.record("it was accepted")
            return
        }
        #expect(problem.status == 413)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (1_767_623_400, "Mon, 05 Jan 2026 14:30:00 GMT"), (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
    ])
    func `times are those of HTTP`(seconds: Double, text: String) {
        #expect(HTTPDate.text(Timestamp(secondsSince1970: seconds)) == text)
        #expect(HTTPDate.time(text) == Timestamp(secondsSince1970: seconds))
    }

    @Test func `a problem is one of RFC 9457`() {
        var problem = Problem(405, "the path allows \"GET\"", retryAfter: .seconds(3))
        problem.allowed = ["GET", "POST"]
        let answer = problem.answer
        #expect(answer.status == 405 && answer.header("content-type") == "application/problem+json")
        #expect(answer.header("allow") == "GET, POST" && answer.header("retry-after") == "3")
        #expect(
            String(decoding: answer.body, as: UTF8.self) == """
                {"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"the path allows \\"GET\\""}
                """)
    }
}
