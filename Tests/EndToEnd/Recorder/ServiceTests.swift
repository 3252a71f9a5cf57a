#if Command && Configuration
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailRecording

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
        #expect(try !RecordingReport(checking: left).isIntact)

        let socket = try DatagramSocket(folder.file("notify"))
        try folder.write("plugins:\n  geo-recorder: { include: [logs] }\n", to: "taffrail.yaml")
        let service = try Program(
            ["run", "--config", folder.file("taffrail.yaml")], in: folder,
            environment: [
                "NOTIFY_SOCKET": folder.file("notify"), "WATCHDOG_USEC": "100000", "STATE_DIRECTORY": folder.path,
                "XDG_STATE_HOME": folder.path,
            ])
        #expect(await eventually { socket.datagrams.contains("READY=1") })
        #expect(try RecordingReport(checking: left).isIntact)
        #expect(await eventually { socket.datagrams.filter { $0 == "WATCHDOG=1" }.count >= 3 })
        service.send(SIGHUP)
        #expect(await eventually { socket.datagrams.contains { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") } })
        service.send(SIGTERM)
        // The socket holds only a few datagrams; the service blocks until they are read.
        #expect(await eventually { socket.datagrams.contains("STOPPING=1") })
        #expect(await service.wait() == 0)
        #expect(folder.recordings("recordings").count == 2)
        #expect(try folder.events("recordings").count >= 25)
    }
}
#endif
