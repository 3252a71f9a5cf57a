#if HTTP
import Foundation
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

@Suite struct HTTPRemoteOptionsTests {
    private static func options(_ json: String) throws -> HTTPRemoteOptions {
        try JSONDecoder().decode(HTTPRemoteOptions.self, from: Data(json.utf8))
    }

    @Test func `options have the defaults of the README, and refuse what makes no sense`() throws {
        let url = "https://collector:4318/v1/logs"
        #expect(try Self.options(#"{"url": "\#(url)"}"#) == HTTPRemoteOptions(url: url))
        let all = try Self.options(
            """
            {"url": "\(url)", "encoding": "otlp-json", "compression": "none", "token_file": "/t", "headers": {"A": "b"},
             "resource": {"a": "b"}, "rate": "256KiB/s", "batch": {"records": 5, "size": "2MiB"},
             "spool": {"directory": "/s", "size": "1MiB", "age": "1d", "when_full": "hold"}}
            """)
        // Its receivers decompress nothing.
        let journal = #"{"url": "https://a/upload", "encoding": "journal""#
        #expect(try Self.options(journal + "}").encoding == .journal)
        #expect(throws: (any Error).self) { try Self.options(journal + #", "compression": "gzip"}"#) }
        #expect(all.encoding == .otlpJSON && all.compression == .none && all.credentials.tokenFile == "/t")
        #expect(all.rate == .kibibytes(256) && all.batchRecords == 5 && all.batchBytes == .mebibytes(2))
        let instance = PluginInstance(name: "a b", logDirectory: "/log", program: "ferry")
        #expect(
            all.resolvedSpool(of: instance)
                == SpoolOptions(directory: "/s", size: .mebibytes(1), age: .days(1), whenFull: .hold))
        #expect(HTTPRemoteOptions(url: url).resolvedSpool(of: instance).directory == "/log/.taffrail/a%20b.spool")
        for wrong in [
            "{}", #"{"url": "ftp://a/"}"#, #"{"url": "https://user:pass@a/"}"#, #"{"url": "https://"}"#,
            #"{"url": "https://a b/"}"#, #"{"url": "https://a", "encoding": "xml"}"#,
            #"{"url": "https://a", "token": "a", "token_file": "b"}"#, #"{"url": "https://a", "user": "a"}"#,
            #"{"url": "https://a", "headers": {"A b": "c"}}"#, #"{"url": "https://a", "headers": {"A": "b\nc"}}"#,
            #"{"url": "https://a", "rate": "5"}"#, #"{"url": "https://a", "spool": {"when_full": "wait"}}"#,
            #"{"url": "https://a", "spool": {"size": "1KiB"}}"#, #"{"url": "https://a", "tls": {"key": "k"}}"#,
        ] {
            #expect(throws: DecodingError.self, "\(wrong)") { try Self.options(wrong) }
        }
    }

    @Test(arguments: [
        (#""token": "a", "token_file": "b""#, "token_file"),
        (#""token_file": "a", "token_credential": "b""#, "token_credential"),
        (#""user": "a""#, "user"), (#""password": "a""#, "password"),
        (#""token": "a", "user": "b", "password": "c""#, "user"), (#""headers": {"X-Boat": "Fähre"}"#, "headers"),
        (#""encoding": "ndjson", "resource": {"a": "b"}"#, "resource"),
    ])
    func `an error names the option that has it`(options: String, key: String) throws {
        let error = #expect(throws: DecodingError.self) { try Self.options(#"{"url": "https://a", \#(options)}"#) }
        guard case .dataCorrupted(let context)? = error else { return _ = Issue.record("\(String(describing: error))") }
        #expect(context.codingPath.map(\.stringValue) == [key])
    }

    @Test func `the port of an address is from 1 to 65535`() {
        for address in [
            "http://a", "http://a:1/x", "https://a:65535?b", "https://[::1]:8", "http://[::1]", "http://a:/",
        ] {
            #expect(HTTPAddress.problem(in: address) == nil, "\(address)")
        }
        for address in [
            "http://a:0", "http://127.0.0.1:65536/x", "http://[::1]:99999#x", "https://a:b", "http://a:+80",
        ] {
            #expect(HTTPAddress.problem(in: address) == "port must be from 1 to 65535", "\(address)")
        }
        for address in ["http://", "http:///x", "http://:80", "http://[]", "http://[]:3128/"] {
            #expect(HTTPAddress.problem(in: address) == "has no host", "\(address)")
        }
    }

    @Test func `Retry-After is a number of seconds, or a date in any of its three forms`() {
        let now: Int64 = 784_111_777_000_000_000
        #expect(RetryAfter.time("120", date: nil, now: now) == now + 120_000_000_000)
        #expect(RetryAfter.time(" 0 ", date: nil, now: now) == now)
        for date in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ] {
            #expect(RetryAfter.time(date, date: nil, now: 0) == now, "\(date)")
            // By the clock of the destination a minute remains, whatever ours says.
            #expect(RetryAfter.time(date, date: "Sun, 06 Nov 1994 08:48:37 GMT", now: 5) == 60_000_000_005)
            #expect(RetryAfter.time(date, date: "Sun, 06 Nov 1994 09:48:37 GMT", now: 5) == 5)
        }
        for wrong in ["", "-1", "1.5", "soon", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Abc 1994 08:49:37 GMT"] {
            #expect(RetryAfter.time(wrong, date: nil, now: now) == nil, "\(wrong)")
        }
        #expect(RetryAfter.time("99999999999999999999", date: nil, now: 0) == 1_000_000_000_000_000_000)
    }

    @Test func `the proxy is that of the environment, unless the host is excepted`() throws {
        func proxy(_ url: String, _ environment: [String: String]) throws -> HTTPProxy? {
            try HTTPProxy.proxy(for: url) { environment[$0] }
        }
        let https = ["HTTPS_PROXY": "http://proxy:3128"]
        #expect(try proxy("https://a.example/x", https) == HTTPProxy(host: "proxy", port: 3128))
        #expect(try proxy("http://a.example/x", https) == nil)
        #expect(try proxy("http://a.example/x", ["http_proxy": "proxy"]) == HTTPProxy(host: "proxy", port: 80))
        for exception in ["*", "a.example", ".example", "example", "b, a.example"] {
            #expect(try proxy("https://a.example:8/x", https.merging(["NO_PROXY": exception]) { $1 }) == nil)
        }
        for exception in ["A.Example", "a.example:443", ".example:443"] {
            #expect(try proxy("https://a.EXAMPLE/x", https.merging(["NO_PROXY": exception]) { $1 }) == nil)
            #expect(try proxy("https://a.example:443/x", https.merging(["NO_PROXY": exception]) { $1 }) == nil)
        }
        for exception in ["::1", "[::1]", "[::1]:8"] {
            #expect(try proxy("https://[::1]:8/x", https.merging(["NO_PROXY": exception]) { $1 }) == nil)
        }
        for exception in ["le", "a.example:8", "b.a.example"] {
            #expect(try proxy("https://a.example/x", https.merging(["no_proxy": exception]) { $1 }) != nil)
        }
        for (text, credentials) in [
            ("http://user:pass@proxy:1", "user:pass"), ("user:pass@proxy:1/", "user:pass"),
            ("http://user@proxy:1", "user:"), ("http://us%3Aer:p%40%ss%@proxy:1", "us:er:p@%ss%"),
        ] {
            let wanted = HTTPProxy(host: "proxy", port: 1, credentials: Secret(credentials))
            #expect(try proxy("https://a/", ["HTTPS_PROXY": text]) == wanted)
        }
        for address in ["HTTP://proxy:3128", "http://[::1]:3128/"] {
            #expect(try proxy("https://a/", ["HTTPS_PROXY": address])?.port == 3128)
        }
        for wrong in [
            "", "http://", "http://user:pass@", "https://proxy:1", "HTTPS://proxy:1", "socks5://proxy:1080",
            "http://[]:3128", "http://proxy:abc", "http://proxy:+80", "http://proxy:0",
            "http://user:pass@10.0.0.1:99999", "proxy:65536",
        ] {
            #expect(throws: OptionError.self, "\(wrong)") { try proxy("https://a/", ["HTTPS_PROXY": wrong]) }
        }
    }

    @Test func `a collector is known by its URL and the headers, and its name shows no key`() {
        func collector(_ url: String, _ headers: [String: String] = [:]) -> String {
            var options = HTTPRemoteOptions(url: url)
            options.headers = headers.mapValues(Secret.init)
            return options.collector
        }
        #expect(collector("https://A.example:4318/v1/logs") == "https://a.example:4318/v1/logs")
        #expect(collector("https://a.example") == "https://a.example/")
        for (url, key) in [
            ("https://a.example/x?key=s3cret", "s3cret"), ("https://a.example/0123456789abcdef", "89ab"),
        ] {
            let name = collector(url)
            #expect(name.hasPrefix("https://a.example (") && !name.contains(key))
            #expect(name == collector(url) && name != collector(url + "0"))
        }
        let tenant = collector("https://a.example/x", ["X-Scope-OrgID": "harbour"])
        #expect(tenant.hasPrefix("https://a.example/x (") && !tenant.contains("harbour"))
        #expect(tenant == collector("https://a.example/x", ["x-scope-orgid": "harbour"]))
        #expect(tenant != collector("https://a.example/x", ["X-Scope-OrgID": "pilots"]))
    }

    @Test func `the address in messages has no path`() {
        #expect(HTTPAddress.origin(of: "https://a.example:4318/v1/logs?key=1") == "https://a.example:4318")
        #expect(HTTPAddress.origin(of: "http://a?b") == "http://a")
    }
}
#endif
