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
            for part in ["geo.location", "55.666667", "55.666683", "55.666700", "geo.error", "is lost"] {
                #expect(text.contains(part), "\(name) lacks \(part): \(text)")
            }
        }
    }
}

/// A socket that datagrams come to.
private final class DatagramSocket {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { throw POSIXError(.ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit { close(descriptor) }

    /// The data received so far, without waiting.
    func read() -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var text = ""
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self) + "\n"
        }
    }
}
#endif
