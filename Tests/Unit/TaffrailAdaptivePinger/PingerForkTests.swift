#if HTTP && Command && Configuration
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailGeo

/// A program with a pinger that forks.
@Suite(.heavy) struct PingerForkTests {
    /// The numbers of the positions in pings, in order.
    private static func numbers(_ bodies: [[UInt8]]) -> [Int] {
        bodies.compactMap { body in
            let fields = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
            return (fields?["latitude"] as? Double).map { Int((($0 - 55) * 1_000).rounded()) }
        }
    }

    /// The numbers of the positions whose pings wait in a spool, in order.
    private static func waiting(_ spool: String) throws -> [Int] {
        var numbers: [Int] = []
        try SpoolInspection(spool).forEach { view in
            guard let ping = Ping(LogRecord(view)) else { return }
            numbers.append(Int(((ping.location.coordinate.latitude - 55) * 1_000).rounded()))
        }
        return numbers
    }

    @Test func `a forked child sends nothing, and the parent's pings are neither lost nor doubled`() async throws {
        let folder = TemporaryDirectory()
        let server = try FaultServer()
        let (log, spool) = (folder.file("app.log"), folder.file("spool"))
        let endpoint = "http://127.0.0.1:\(server.port)/ping"
        let subject = try Program.subject(["fork-pinger", log, endpoint])
        #expect(await subject.wait() == 0)
        // What the end of the program has left in the spool has not arrived, and the child has added nothing to it.
        let sent = Self.numbers(server.requests.map(\.plainBody))
        let left = try Self.waiting(spool)
        #expect(sent + left.filter { !sent.contains($0) } == Array(0..<120))
        #expect(Set(server.requests.map(\.key)).count == sent.count)
        // Its positions are in its queue, from which recovery evaluates them after those of the parent.
        server.reply { _ in .answer(503) }
        try folder.write(
            """
            plugins:
              file: { path: "\(log)" }
              pinger: { endpoint: "\(endpoint)", device_id: boat, night: false, drain: 0, spool: { directory: "\(spool)" } }
            """, to: "taffrail.yaml")
        let result = try await Program.run(
            ["recover", folder.path, "--config", folder.file("taffrail.yaml")], in: folder)
        #expect(result.code == 0, "\(result.errors)")
        let all = sent + (try Self.waiting(spool)).filter { !sent.contains($0) }
        #expect(all == Array(0..<120) + Array(1_000..<1_040))
    }
}
#endif
