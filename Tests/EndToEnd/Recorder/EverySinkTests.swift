#if Command && Configuration && Journald
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailTransport

/// Positions and the lack of them are records like any other.
@Suite(.mayBlock) struct EverySinkTests {
    @Test func `a position and a lost receiver pass every sink`() async throws {
        let folder = TemporaryDirectory()
        let server = try StreamServer(
            host: "127.0.0.1", port: 0, handlers: .init(joined: { _ in Array(Receiver.sentences(0..<3).utf8) }))
        let journal = try DatagramSocket(folder.file("journal"))
        try folder.write(
            """
            plugins:
              nmea: { source: "tcp://127.0.0.1:\(server.port)", silence: 1h }
              console: { stream: stdout }
              memory:
              journald: { socket: "\(folder.file("journal"))", fallback: false }
              geo-recorder: { directory: "\(folder.file("drives"))" }
              text: { type: file, path: "\(folder.file("text"))" }
              json: { type: file, path: "\(folder.file("json"))", format: json }
              logfmt: { type: file, path: "\(folder.file("logfmt"))", format: logfmt }
              pattern: { type: file, path: "\(folder.file("pattern"))", format: pattern, pattern: "%{event} %{message}" }
            """, to: "taffrail.yaml")
        let program = try Program(
            ["run", "--config", folder.file("taffrail.yaml")], in: folder, environment: ["XDG_STATE_HOME": folder.path])
        #expect(await eventually { folder.count("drives") == 3 }, "\(folder.text("errors"))")
        server.close()
        #expect(await eventually { folder.count("drives") >= 4 })
        var said = ""
        #expect(
            await eventually {
                said += journal.read()
                return said.contains("geo.error")
            })
        program.send(SIGTERM)
        #expect(await program.wait() == 0)
        let events = try folder.events("drives")
        #expect(events.prefix(3).allSatisfy { $0.location != nil } && events[3].error?.code == 0)
        let outputs = [("journald", said), ("console", folder.text("output"))]
        for (name, text) in outputs + ["text", "json", "logfmt", "pattern"].map({ ($0, folder.text($0)) }) {
            for part in ["geo.location", "55.666667", "55.666683", "55.666700", "geo.error", "lost the connection"] {
                #expect(text.contains(part), "\(name) lacks \(part): \(text)")
            }
        }
    }
}
#endif
