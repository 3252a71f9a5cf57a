#if Server && Command && Store && Configuration
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// What `taffrail history push` prints of what a receiver has taken.
@Suite(.heavy, .enabled(if: Program.areThere("curl"), "curl is not installed")) struct HistoryPushTests {
    @Test func `what the receiver has not taken is reported, and after a failure what it has`() async throws {
        let folder = TemporaryDirectory()
        let store = ["--store", folder.file("own.sqlite")]
        let track = (0..<1_200).map { n in
            let (minute, second) = (10 + n / 60, n % 60)
            return "2026-01-05T14:\(minute):\(second < 10 ? "0" : "")\(second)Z,\(55 + Double(n) / 10_000),12.5\n"
        }
        try folder.write("time,lat,lon\n" + track.joined(), to: "track.csv")
        let imported = try await Program.run(["history", "import", folder.file("track.csv")] + store)
        try #require(imported.code == 0, "\(imported.errors)")
        let server = try FaultServer()
        func push(_ replies: [FaultServer.Reply]) async throws -> (code: Int, output: String, errors: String) {
            let rest = Locked(replies)
            server.reply { _ in rest.withLock { $0.isEmpty ? .answer(404) : $0.removeFirst() } }
            let result = try await Program.run(["history", "push", "http://127.0.0.1:\(server.port)"] + store)
            return (Int(result.code), result.output, result.errors)
        }
        let part = try await push([
            .answer(200, body: #"{"accepted":499,"truncated":2}"#),
            .answer(200, body: #"{"accepted":500,"truncated":0}"#),
            .answer(200, body: "ok"),
        ])
        #expect(part.code == 65 && part.output == "1199 points sent\n", "\(part.output)\(part.errors)")
        #expect(
            part.errors.contains("did not accept 1 point\n") && part.errors.contains("truncated 2 points\n"))
        let full = FaultServer.Reply.answer(503, body: #"{"error":"the queue is full"}"#)
        let retried = try await push(
            [full] + [498, 500, 200].map { .answer(200, body: #"{"accepted":\#($0)}"#) })
        #expect(retried.code == 65 && retried.output == "1198 points sent\n", "\(retried.output)\(retried.errors)")
        let failed = try await push([.answer(200, body: #"{"accepted":500,"truncated":0}"#), .answer(400, body: "no")])
        #expect(failed.code == 65 && failed.output == "500 points sent\n", "\(failed.output)\(failed.errors)")
        #expect(failed.errors.contains("returned 400: no"))
    }
}
#endif
