#if Server
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReceiver

/// Browsers that log in, and commands, through connections.
@Suite(.mayBlock) struct LoginTests {
    private static func receiver(_ folder: TemporaryDirectory) async throws -> LiveReceiver {
        try folder.write("reader read name=desk\nowner read control name=boss\n", to: "tokens")
        return try await LiveReceiver(ReceiverOptions(tokenFile: folder.file("tokens")))
    }

    private static let form = "Content-Type: application/x-www-form-urlencoded"
    private static let html = "Accept: text/html,application/xhtml+xml"

    @Test func `a browser logs in on a page, gets a cookie, reads with it, and logs out`() async throws {
        let folder = TemporaryDirectory()
        let receiver = try await Self.receiver(folder)
        let asked = try await receiver.send("GET", "/logs?limit=5&a=b%26c", [Self.html])
        #expect(asked.status == 303 && asked["location"] == "/login?next=/logs?limit=5%26a=b%2526c")
        let page = try await receiver.send("GET", asked["location"] ?? "", [Self.html])
        #expect(page.status == 200 && page["content-type"] == "text/html; charset=utf-8")
        #expect(page.body.contains("name=\"next\" value=\"/logs?limit=5&amp;a=b%26c\""))
        let origin = "Origin: http://localhost:\(receiver.port)"
        let answer = try await receiver.post("/login", "token=reader&next=/logs?limit=5", Self.form, Self.html, origin)
        #expect(answer.status == 303 && answer["location"] == "/logs?limit=5")
        let setting = try #require(answer["set-cookie"])
        #expect(setting.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200") && !setting.contains("reader"))
        let cookie = "Cookie: " + setting.prefix { $0 != ";" }
        #expect(try await receiver.send("GET", "/logs", [cookie]).status == 200)
        // It need not log in again, and the first page lets it log out.
        let again = try await receiver.send("GET", "/login?next=/logs?limit=5", [Self.html, cookie])
        #expect(again.status == 303 && again["location"] == "/logs?limit=5")
        #expect(try await receiver.send("GET", "/login", [Self.html, cookie])["location"] == "/")
        let first = try await receiver.send("GET", "/", [Self.html, cookie])
        #expect(first.status == 200 && first.body.contains("name=\"csrf\""))
        #expect(try await receiver.send("GET", "/", [Self.html])["location"] == "/login")
        #expect(try await receiver.send("GET", "/").status == 401)
        let session = try await receiver.send("GET", "/session", [cookie])
        let fields = try #require(
            try JSONSerialization.jsonObject(with: Data(session.body.utf8)) as? [String: Any])
        #expect(fields["roles"] as? [String] == ["read"] && fields["name"] as? String == "desk")
        // It may log in again.
        #expect(
            try await receiver.post("/login", "token=reader", Self.form, cookie, "Accept: application/json").status
                == 200)
        #expect(try await receiver.send("GET", "/session", [cookie]).status == 401)
        try await Self.logsOut(receiver)
        try await receiver.stop()
    }

    private static func logsOut(_ receiver: LiveReceiver) async throws {
        let answer = try await receiver.post("/login", "token=reader", form, "Accept: application/json")
        let setting = try #require(answer["set-cookie"])
        let cookie = "Cookie: " + setting.prefix { $0 != ";" }
        let session = try await receiver.send("GET", "/session", [cookie])
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(session.body.utf8)) as? [String: Any])
        let csrf = try #require(fields["csrf"] as? String)
        // What it may not do, it may not do with a cookie either.
        #expect(try await receiver.post("/logs", "{}", cookie, "X-CSRF-Token: \(csrf)").status == 403)
        #expect(try await receiver.post("/logout", "", cookie).status == 403)
        #expect(try await receiver.post("/logout", "csrf=\(csrf)", cookie, "Origin: http://evil.example").status == 403)
        let end = try await receiver.post("/logout", "csrf=\(csrf)", cookie, Self.form, Self.html)
        #expect(end.status == 303 && end["set-cookie"]?.contains("=; ") == true)
        #expect(end["set-cookie"]?.contains("Max-Age=0") == true)
        #expect(try await receiver.send("GET", "/logs", [cookie]).status == 401)
        let records = try await receiver.records().filter { $0["event"] as? String == "taffrail.access" }
        let actions = records.compactMap { ($0["attributes"] as? [String: Any])?["taffrail.access.action"] as? String }
        #expect(actions.contains("login") && actions.contains("logout") && actions.contains("recentPings"))
        #expect(!receiver.folder.text("received.log").contains("reader"))
    }

    @Test func `a script logs in without a window that asks for a password`() async throws {
        let folder = TemporaryDirectory()
        let receiver = try await Self.receiver(folder)
        let refused = try await receiver.send(
            "GET", "/session", ["Sec-Fetch-Mode: cors", "Sec-Fetch-Site: same-origin"])
        #expect(refused.status == 401 && refused["www-authenticate"] == "Bearer realm=\"taffrail\"")
        let json = "Accept: application/json"
        let wrong = try await receiver.post("/login", "token=wrong", Self.form, json)
        #expect(
            wrong.status == 401 && wrong["content-type"] == "application/problem+json" && wrong["set-cookie"] == nil)
        let answer = try await receiver.post("/login", "token=owner", Self.form, json)
        #expect(answer.status == 200 && answer["set-cookie"] != nil)
        #expect(answer.body.hasPrefix(#"{"roles":["read","control"],"name":"boss","csrf":""#))
        #expect(try await receiver.post("/login", "x=y", Self.form, json).status == 400)
        #expect(try await receiver.post("/login", "token=owner", "Origin: http://evil.example").status == 403)
        try await receiver.stop()
    }

    @Test func `wrong tokens are refused after ten of them, and a token in use is still accepted`() async throws {
        let folder = TemporaryDirectory()
        let owners = (0..<20).map { "owner-\($0)" }
        try folder.write("reader read name=desk\n" + owners.map { "\($0) read\n" }.joined(), to: "tokens")
        let receiver = try await LiveReceiver(ReceiverOptions(tokenFile: folder.file("tokens")))
        #expect(try await receiver.send("GET", "/logs", ["Authorization: Bearer reader"]).status == 200)
        for n in 0..<10 {
            #expect(try await receiver.send("GET", "/logs", ["Authorization: Bearer wrong-\(n)"]).status == 401)
        }
        // One more is accepted after six seconds, in which a busy machine may not get through two requests. A token
        // that was accepted meanwhile is in use.
        var answers: (limited: Answer, page: Answer)?
        for (n, owner) in owners.enumerated() where answers == nil {
            for m in 0..<10 {
                let wrong = "Authorization: Bearer wrong-\(n)-\(m)"
                if try await receiver.send("GET", "/logs", [wrong]).status == 429 { break }
            }
            let limited = try await receiver.send("GET", "/logs", ["Authorization: Bearer \(owner)"])
            let page = try await receiver.post("/login", "token=\(owner)", Self.form, Self.html)
            if limited.status == 429 && page.status == 429 { answers = (limited, page) }
        }
        let (limited, page) = try #require(answers)
        #expect(limited["retry-after"] != nil)
        #expect(page.body.contains("<p role=\"alert\">too many invalid tokens"))
        #expect(try await receiver.send("GET", "/logs", ["Authorization: Bearer reader"]).status == 200)
        #expect(
            try await receiver.send("GET", "/metrics", ["Authorization: Bearer reader"]).body
                .contains("taffrail_receiver_token_requests_total{token=\"desk\",action=\"recentPings\"} 2\n"))
        try await receiver.stop()
    }

    @Test func `a command that takes long does not delay the end of the receiver, and learns of it`() async throws {
        let folder = TemporaryDirectory()
        let receiver = try await Self.receiver(folder)
        let gate = DispatchSemaphore(value: 0)
        let hasBegun = Locked(false)
        let ended = Locked<Bool?>(nil)
        let registration = receiver.pipeline.handleCommands(for: "pump") { _ in
            let before = ControlCommand.isCancelled()
            hasBegun.withLock { $0 = true }
            // At most as long as a test that fails may take.
            _ = gate.wait(timeout: .now() + 60)
            ended.withLock { $0 = !before && ControlCommand.isCancelled() }
            return ControlCommand.Answer()
        }
        let request = Task {
            try await receiver.post(
                "/control/pump", #"{"command":"purge"}"#, "Authorization: Bearer owner",
                "Content-Type: application/json")
        }
        #expect(await eventually { hasBegun.withLock { $0 } })
        try await receiver.stop()
        #expect(ended.withLock { $0 } == nil)
        gate.signal()
        #expect(await eventually { ended.withLock { $0 } == true })
        _ = try? await request.value
        registration.end()
    }

    @Test func `commands need a token with the role control`() async throws {
        let folder = TemporaryDirectory()
        let receiver = try await Self.receiver(folder)
        let registration = receiver.pipeline.handleCommands(for: "pump") { command in
            guard ["stop", "status"].contains(command.name) else { throw command.unknown(among: "stop", "status") }
            return ControlCommand.Answer(command.arguments)
        }
        let json = "Content-Type: application/json"
        for (token, path, body, status) in [
            ("reader", "/control/pump", #"{"command":"stop"}"#, 403),
            ("owner", "/control/pump", #"{"command":"stop","after":3}"#, 200),
            ("owner", "/control/pump", #"{"command":"start"}"#, 422), ("owner", "/control/pump", "{}", 400),
            ("owner", "/control/", "{}", 400), ("owner", "/control/other", #"{"command":"stop"}"#, 404),
        ] {
            let answer = try await receiver.post(path, body, "Authorization: Bearer \(token)", json)
            #expect(answer.status == status, "\(answer.text)")
            if status == 200 { #expect(answer.body == #"{"after":3}"#) }
        }
        #expect(
            try await receiver.post("/control/pump", #"{"command":"stop"}"#, "Authorization: Bearer owner").status
                == 415)
        // Pages ask for a status each second: only the first of an hour is logged.
        for _ in 0..<3 {
            let status = #"{"command":"status"}"#
            #expect(try await receiver.post("/control/pump", status, "Authorization: Bearer owner", json).status == 200)
        }
        let list = try await receiver.send("GET", "/control", ["Authorization: Bearer owner"])
        #expect(list.status == 200 && list.body == #"{"instances":["pump"]}"#)
        #expect(try await receiver.send("GET", "/control", ["Authorization: Bearer reader"]).status == 403)
        #expect(try await receiver.send("GET", "/control/pump", ["Authorization: Bearer owner"]).status == 405)
        let commands = try await receiver.records().compactMap { record -> String? in
            let attributes = record["attributes"] as? [String: Any]
            guard record["event"] as? String == "taffrail.access" else { return nil }
            return attributes?["taffrail.access.command"] as? String
        }
        #expect(commands == ["stop", "start", "stop"] || commands == ["stop", "start", "stop", "status"])
        registration.end()
        try await receiver.stop()
        let open = try await LiveReceiver()
        #expect(try await open.post("/control/pump", #"{"command":"stop"}"#, json).status == 403)
        #expect(try await open.send("GET", "/session").body == #"{"roles":["ingest","read"]}"#)
        #expect(try await open.post("/login", "token=x", Self.form).status == 404)
        try await open.stop()
    }
}
#endif
