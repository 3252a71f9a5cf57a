#if Server && Command && Store && Configuration
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// What `taffrail serve` makes of the pings of a device that stands still.
@Suite(.heavy) struct RepeatedPingTests {
    @Test func `a heartbeat updates when its device was last seen, and not its track`() async throws {
        let folder = TemporaryDirectory()
        let served = ServedReceiver(in: folder)
        try await served.start()
        let port = served.port
        let body = ReceiverTests.ping
        // The second one is the same request again, the third one a heartbeat.
        for key in ["\"pinger-a-1-1\"", "\"pinger-a-1-1\"", "\"pinger-a-1-1767623700\""] {
            let answer = try await blocking {
                let connection = try Connection(port: port)
                let head =
                    "POST /ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIdempotency-Key: \(key)\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n"
                connection.send(Array((head + body).utf8))
                return Answer(connection.readToEnd())
            }
            #expect(answer.status == 200, "\(answer.text)")
        }
        #expect(await served.stop() == 0)
        #expect(served.records.count { $0["event"] as? String == "geo.location" } == 2)
        let listed = try await Program.run(
            ["history", "list", "--all", "--format", "json", "--store", served.store])
        let points = listed.output.split(whereSeparator: \.isNewline).compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
        }
        #expect(listed.code == 0 && points.count == 1, "\(listed.output)\(listed.errors)")
        #expect(points.first?["timestamp"] as? String == "2026-01-05T14:30:00.000000000Z")
        #expect(points.first?["lastSeen"] != nil)
    }
}
#endif
