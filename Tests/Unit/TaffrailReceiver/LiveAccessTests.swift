#if Server
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReceiver

/// How long a client may watch the log.
@Suite(.mayBlock) struct LiveAccessTests {
    /// A client that reads a stream on a thread of its own.
    private final class Watcher: Sendable {
        private let state = Locked((text: "", isOver: false))

        init(port: Int, _ header: String) {
            _ = DedicatedThread.start { [self] in
                defer { state.withLock { $0.isOver = true } }
                guard let stream = try? Connection(port: port) else { return }
                stream.send(Array("GET /stream HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n\r\n".utf8))
                while true {
                    let part = stream.read(until: "\n\n")
                    state.withLock { $0.text += part }
                    guard part.contains("\n\n") else { return }
                }
            }
        }

        var text: String { state.withLock { $0.text } }
        var isOver: Bool { state.withLock { $0.isOver } }
    }

    @Test func `a stream ends when its token is removed, or its browser logs out`() async throws {
        let folder = TemporaryDirectory()
        try folder.write("reader read\nbrowser read\nsender ingest\n", to: "tokens")
        let receiver = try await LiveReceiver(ReceiverOptions(tokenFile: folder.file("tokens")))
        let login = try await receiver.post(
            "/login", "token=browser", "Content-Type: application/x-www-form-urlencoded", "Accept: application/json")
        let cookie = try "Cookie: " + #require(login["set-cookie"]).prefix { $0 != ";" }
        let session = try JSONSerialization.jsonObject(with: Data(login.body.utf8)) as? [String: Any]
        let csrf = try #require(session?["csrf"] as? String)
        let watchers = ["Authorization: Bearer reader", cookie].map { Watcher(port: receiver.port, $0) }
        for watcher in watchers { #expect(await eventually { watcher.text.contains("retry: 2000\n\n") }) }
        func log(_ message: String) async throws {
            let answer = try await receiver.post(
                "/logs", "{\"message\":\"\(message)\"}", "Authorization: Bearer sender")
            #expect(answer.status == 200)
        }
        try await log("seen by both")
        for watcher in watchers { #expect(await eventually { watcher.text.contains("seen by both") }) }
        // At once: of a file that is half written no token would be valid.
        try folder.write("browser read\nsender ingest\n", to: "new tokens")
        try #require(rename(folder.file("new tokens"), folder.file("tokens")) == 0)
        #expect(
            try await eventually {
                try await log("later")
                return watchers[0].isOver
            })
        #expect(!watchers[1].isOver)
        #expect(await eventually { watchers[1].text.contains("later") })
        #expect(try await receiver.post("/logout", "csrf=\(csrf)", cookie).status == 303)
        #expect(
            try await eventually {
                try await log("at last")
                return watchers[1].isOver
            })
        try await receiver.stop()
    }

    @Test func `a command from the network is marked as such`() async throws {
        let folder = TemporaryDirectory()
        try folder.write("owner control\n", to: "tokens")
        let receiver = try await LiveReceiver(ReceiverOptions(tokenFile: folder.file("tokens")))
        let commands = Locked<[ControlCommand]>([])
        let registration = receiver.pipeline.handleCommands(for: "store") { command in
            commands.withLock { $0.append(command) }
            return ControlCommand.Answer()
        }
        let answer = try await receiver.post(
            "/control/store", "{\"command\":\"import\",\"file\":\"/etc/hostname\"}", "Authorization: Bearer owner",
            "Content-Type: application/json")
        #expect(answer.status == 200)
        #expect(commands.withLock { $0.map(\.isRemote) } == [true])
        registration.end()
        try await receiver.stop()
    }
}
#endif
