#if HTTP && Server && Command && Configuration
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailGeo
@testable import TaffrailText
@testable import TaffrailTracks

/// Days and drives that `taffrail run` replays faster than they were, for `taffrail serve`: its pings are those of the policy in
/// another language, at any rate.
@Suite(.heavy, .serialized, .enabled(if: PingReceiver.isPossible, "python3 is not installed"))
struct PingerReplayTests {
    /// The rate in the long form; the short form is faster still.
    private static let rate: Int? = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? nil : 100

    /// Whether the replay has logged its end, after which only attempts of pings follow.
    private static func isReplayed(_ folder: TemporaryDirectory) -> Bool {
        guard let file = try? FileDescriptor(folder.file("logs/app.log"), .read), let size = try? file.size else {
            return false
        }
        let start = max(0, size - 256 << 10)
        let end = (try? file.read(256 << 10, at: Int64(start))) ?? []
        return end.withUnsafeBytes { end in
            Array("\"logger\":\"geo.replay\"".utf8).withUnsafeBytes { ByteSearch.isFound($0, in: end) }
        }
    }

    /// Replays fixes, and compares what arrives.
    ///
    /// - Returns: The modes of the pings.
    private static func modes(_ fixes: [Location], rate: Int) async throws -> [String] {
        try #require(TimeZoneRules("Europe/Ljubljana") != nil, "tzdata is not installed")
        let folder = TemporaryDirectory()
        let home = try #require(fixes.first).coordinate
        let lines = fixes.map { fix in
            let speed = fix.speed.map { "\($0)" } ?? ""
            let time = RFC3339.string(fix.timestamp, decimals: 3)
            let place = "\(fix.coordinate.latitude),\(fix.coordinate.longitude)"
            // GPX has no accuracy.
            return "\(time),\(place),\(fix.horizontalAccuracy ?? 8),\(speed)\n"
        }
        try folder.write("time,lat,lon,accuracy,speed\n" + lines.joined(), to: "track.csv")
        let receiver = ServedReceiver(in: folder)
        try await receiver.start()
        try folder.write(
            """
            plugins:
              geo-replay: { file: "\(folder.file("track.csv"))", rate: \(Self.rate ?? rate) }
              file: { path: "\(folder.file("logs/app.log"))", format: json, rotate: { size: 1GiB } }
              pinger:
                endpoint: http://127.0.0.1:\(receiver.port)/ping
                device_id: van
                night: { time_zone: Europe/Ljubljana }
                home: { latitude: \(home.latitude), longitude: \(home.longitude) }
                spool: { directory: "\(folder.file("spool"))" }
            """, to: "taffrail.yaml")
        let program = try Program(["run", "--config", folder.file("taffrail.yaml")], in: folder)
        // A day at 100 x takes a quarter of an hour.
        var isReplayed = false
        for _ in 0..<20 where !isReplayed {
            isReplayed = await eventually { Self.isReplayed(folder) }
        }
        #expect(isReplayed, "\(folder.text("errors"))")
        #expect(await eventually { (try? SpoolInspection(folder.file("spool")).summary().records) == 0 })
        program.send(SIGTERM)
        #expect(await program.wait() == 0, "\(folder.text("errors"))")
        #expect(await receiver.stop() == 0)
        let pings = receiver.records.compactMap { ReceivedPing($0) }
        let logged = LoggedFixes.all(in: folder)
        #expect(logged.count == fixes.count)
        let expected = try PingReference(PingSettings(), zone: "Europe/Ljubljana", home: home).pings(logged)
        #expect(pings.map(\.line) == expected)
        return pings.map(\.mode)
    }

    @Test func `a generated day is replayed into the receiver as the reference decides`() async throws {
        let modes = try await Self.modes(GeneratedDay(interval: 5).fixes, rate: 10_000)
        #expect(modes.count > 50 && Set(modes).count > 1)
    }

    @Test(
        .enabled(if: TestData.isThere, "\(TestData.reason)"),
        arguments: [("around-visnjan-with-car.gpx", 100), ("cerknicko-jezero.gpx", 1_000)])
    func `a recorded drive is replayed into the receiver as the reference decides`(name: String, rate: Int) async throws
    {
        let reader = try TrackFormat.gpx.reader(path: TestData.path("gpx/\(name)"))
        var fixes: [Location] = []
        while let event = try reader.next() { event.event.location.map { fixes.append($0) } }
        #expect(try await Self.modes(fixes, rate: rate).count > 5)
    }
}
#endif
