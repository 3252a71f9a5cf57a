#if Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Home zones of a configuration, where positions do not come from this program's own receiver.
@Suite(.mayBlock) struct PrivacyCommandTests {
    private let directory = TemporaryDirectory()

    private static let zone = "privacy: { zones: [{ latitude: 55.6761, longitude: 12.5683, radius: 300 }] }\n"

    @Test func `a replay shows no position in a zone`() async throws {
        let rows = [
            "00Z,55.6761,12.5683", "01Z,55.6762,12.5684", "02Z,55.7,12.6", "03Z,55.6763,12.5685", "04Z,55.8,12.7",
        ]
        try directory.write(
            "time,latitude,longitude\n" + rows.map { "2026-01-05T14:30:\($0)\n" }.joined(), to: "track.csv")
        let run = try RunningCommand(
            Self.zone + "plugins: { geo-replay: { file: DIR/track.csv, rate: 100 }, file: { path: DIR/app.log } }",
            in: directory)
        #expect(await eventually { directory.text("app.log").contains("geo.location.lat=55.8") })
        #expect(run.end() == .exited(0), "\(run.errors)")
        let log = directory.text("app.log")
        #expect(log.contains("geo.location.lat=55.7") && !log.contains("55.67"), "\(log)")
    }

    @Test func `a recovery shows no position in a zone that is newer than the ring`() throws {
        mkdir(directory.file(".taffrail"), 0o700)
        var ring = CraftedRing(sinks: ["file:app.log"])
        for latitude in [55.6761, 55.8] {
            let place = [
                LogValueEntry("geo.location.lat", .double(latitude)),
                LogValueEntry("geo.location.lon", .double(12.5683)),
            ]
            ring.append(LogRecord(level: .info, message: "moored", attributes: place))
        }
        ring.withHeader { $0.setLog(slot: 0, encoder: "text", destination: "app.log") }
        ring.write(to: directory.file(".taffrail/\(ring.run).ring"))
        chmod(directory.file(".taffrail/\(ring.run).ring"), 0o600)
        try RunningCommand.replace(Self.zone + "plugins: { file: { path: DIR/app.log } }", in: directory)
        let result = try CommandRun(
            ["recover", directory.path, "--config", directory.file("taffrail.yaml")], in: directory)
        #expect(result.end == .exited(0), "\(result.errors)")
        #expect(directory.messages == ["moored", "moored geo.location.lat=55.8 geo.location.lon=12.5683"])
        #expect(directory.rings == [])
    }
}
#endif
