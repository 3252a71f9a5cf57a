#if Command && Configuration
import Foundation
import Glibc
import Synchronization
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailRecording

/// The socket that systemd gives to a service.
final class NotifySocket: Sendable {
    let path: String
    private let descriptor: Int32
    private let said = Mutex<[String]>([])

    init(_ folder: TemporaryDirectory) throws {
        path = folder.file("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit { close(descriptor) }

    /// The output so far.
    var words: [String] {
        said.withLock { said in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return said }
                said.append(String(decoding: buffer[..<count], as: UTF8.self))
            }
        }
    }
}

/// `taffrail run` as a service.
@Suite(.mayBlock) struct ServiceTests {
    static let units = Repository.root.appending(path: "Examples/systemd").path
    static let analyze = "/usr/bin/systemd-analyze"
    static let hasAnalyze = FileManager.default.isExecutableFile(atPath: analyze)

    let folder: TemporaryDirectory

    init() throws { folder = TemporaryDirectory() }

    @Test(.enabled(if: hasAnalyze, "systemd-analyze is not installed (systemd)"))
    func `systemd finds nothing wrong with the units`() async throws {
        var units: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.units)
        where name.hasSuffix(".service") || name.hasSuffix(".timer") {
            // The command is not installed on the test machine.
            let text = try String(contentsOfFile: Self.units + "/" + name, encoding: .utf8)
            try folder.write(text.replacing("/usr/local/bin/taffrail", with: Program.products + "/taffrail"), to: name)
            units.append(folder.file(name))
        }
        #expect(units.count == 3)
        let command = try Program(["verify"] + units.sorted(), of: Self.analyze, in: folder)
        #expect(await command.wait() == 0)
        #expect(folder.text("errors").isEmpty)
        // It would notice.
        try folder.write("[Service]\nType=notify\nExecStart=/none/such\nRestat=always\n", to: "bad.service")
        #expect(try await Program(["verify", folder.file("bad.service")], of: Self.analyze, in: folder).wait() != 0)
    }

    @Test func `the service's configuration is right`() async throws {
        #expect(try await Program.run(["check", Self.units + "/taffrail.yaml"], in: folder).code == 0)
    }

    @Test func `a service reports READY when leftovers are repaired, WATCHDOG while it runs, STOPPING at its end`()
        async throws
    {
        // The result of a power loss: a recording that ends in the middle of an event.
        let drives = folder.file("recordings")
        let session = RecordingSession(RecordingOptions(directory: drives))
        let start = Timestamp(nanoseconds: 1_767_623_400_000_000_000)
        for _ in 0..<50 {
            try session.take(
                .location(Location(latitude: 55, longitude: 12, timestamp: start)), received: start, uptime: nil)
        }
        try session.commit()
        try session.finish()
        let left = drives + "/geo_log_2026-01-05_14-30-00.json"
        let bytes = try Data(contentsOf: URL(filePath: left))
        try bytes.prefix(bytes.count / 2).write(to: URL(filePath: left))
        #expect(try !RecordingReport(checking: left).isWhole)

        let socket = try NotifySocket(folder)
        try folder.write("plugins:\n  geo-recorder: { include: [logs] }\n", to: "taffrail.yaml")
        let service = try Program(
            ["run", "--config", folder.file("taffrail.yaml")], in: folder,
            environment: [
                "NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "100000", "STATE_DIRECTORY": folder.path,
                "XDG_STATE_HOME": folder.path,
            ])
        #expect(await eventually { socket.words.contains("READY=1") })
        #expect(try RecordingReport(checking: left).isWhole)
        #expect(await eventually { socket.words.filter { $0 == "WATCHDOG=1" }.count >= 3 })
        service.send(SIGHUP)
        #expect(await eventually { socket.words.contains { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") } })
        service.send(SIGTERM)
        #expect(await service.wait() == 0)
        #expect(socket.words.contains("STOPPING=1"))
        #expect(folder.recordings("recordings").count == 2)
        #expect(try folder.events("recordings").count >= 25)
    }
}
#endif
