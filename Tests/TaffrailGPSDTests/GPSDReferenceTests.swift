import Foundation
import Taffrail
import TaffrailGeo
import Testing

@testable import TaffrailGPSD

/// A real gpsd, fed with the log of a real receiver.
@Suite(
    .serialized, .enabled(if: GPSDTools.areThere, GPSDTools.comment), .enabled(if: TestData.isThere, TestData.comment))
struct GPSDReferenceTests {
    /// The last report of each moment that gpspipe has written.
    static func fixes(_ text: String) -> [Timestamp: Location] {
        var parser = GPSDParser()
        var fixes: [Timestamp: Location] = [:]
        parser.read(text.utf8) { report in
            guard case .position(let position) = report, let time = position.time, let location = position.location
            else {
                return
            }
            fixes[time] = location
        }
        return fixes
    }

    static func compare(_ ours: [Location], _ theirs: [Timestamp: Location]) {
        var byTime: [Timestamp: Location] = [:]
        for location in ours where location.extra.hasNoTime != true {
            #expect(byTime[location.timestamp] == nil, "twice: \(location.timestamp)")
            byTime[location.timestamp] = location
        }
        #expect(Set(byTime.keys) == Set(theirs.keys))
        for (time, their) in theirs {
            guard let our = byTime[time] else { continue }
            #expect(abs(our.coordinate.latitude - their.coordinate.latitude) <= 1e-7)
            #expect(abs(our.coordinate.longitude - their.coordinate.longitude) <= 1e-7)
            for (one, other, tolerance) in [
                (our.altitude, their.altitude, 0.01), (our.ellipsoidalAltitude, their.ellipsoidalAltitude, 0.01),
                (our.speed, their.speed, 0.001), (our.course, their.course, 0.001),
                (our.horizontalAccuracy, their.horizontalAccuracy, 0.01),
                (our.verticalAccuracy, their.verticalAccuracy, 0.01),
            ] {
                // A report that came before may have said more than the last one.
                guard let other else { continue }
                #expect(one.map { abs($0 - other) <= tolerance } == true, "\(RFC3339.string(time))")
            }
        }
    }

    static func sentences(_ name: String) throws -> [UInt8] {
        try TestData.bytes("nmea/\(name).log").split(separator: 10, omittingEmptySubsequences: true)
            .filter { $0.first == UInt8(ascii: "$") }.flatMap { $0 + [10] }
    }

    @Test(arguments: ["haicom-305N", "bt451", "ericsson-gru04-02-70sec"])
    func `what is recorded is what gpspipe sees, fix by fix`(name: String) async throws {
        let folder = try Folder()
        let feeder = try StreamServer(host: "127.0.0.1", port: 0)
        let port = try freePort()
        let daemon = try Program(
            GPSDTools.daemon, ["-N", "-n", "-S", "\(port)", "tcp://127.0.0.1:\(feeder.port)"])
        #expect(eventually { feeder.clientCount == 1 })
        let output = folder.path + "/pipe"
        let pipe = try Program(GPSDTools.pipe, ["-w", "127.0.0.1:\(port)"], output: output)
        #expect(eventually { folder.text("pipe").contains("WATCH") })
        let bytes = try Self.sentences(name)
        try await GPSDInputTests.run(GPSDOptions(port: port, window: .milliseconds(500))) { events, feed in
            #expect(eventually { feed.authorization == .authorizedAlways })
            feeder.send(bytes)
            // The daemon has read it all when both clients have had nothing new for a while.
            var seen = (0, 0)
            var stable = 0
            #expect(
                eventually(seconds: 40) {
                    let now = (folder.text("pipe").utf8.count, events.all.count)
                    stable = now == seen && now.1 > 0 ? stable + 1 : 0
                    seen = now
                    poll(nil, 0, 50)
                    return stable >= 20
                })
            let theirs = Self.fixes(folder.text("pipe"))
            #expect(theirs.count >= 8)
            Self.compare(events.locations, theirs)
        }
        pipe.stop()
        daemon.stop()
        feeder.close()
    }

    @Test func `a daemon that is killed and comes back, and a device that goes and comes, are gaps`() async throws {
        let folder = try Folder()
        let feeder = try StreamServer(host: "127.0.0.1", port: 0)
        let port = try freePort()
        let arguments = ["-N", "-n", "-S", "\(port)", "tcp://127.0.0.1:\(feeder.port)"]
        let bytes = try Self.sentences("haicom-305N")
        let half = bytes.count / 2
        let daemon = try Program(GPSDTools.daemon, arguments)
        try await GPSDInputTests.run(GPSDOptions(port: port)) { events, feed in
            #expect(eventually { feed.authorization == .authorizedAlways && feeder.clientCount == 1 })
            feeder.send(Array(bytes[..<half]))
            #expect(eventually { events.locations.count > 10 })
            let before = events.errors.count
            daemon.stop()
            #expect(eventually { events.errors.count > before })
            #expect(events.errors.last?.contains("is gone") == true)
            let count = events.locations.count
            let other = try Program(GPSDTools.daemon, arguments)
            #expect(eventually { feeder.clientCount == 1 })
            #expect(
                eventually {
                    feeder.send(Array(bytes[half...]))
                    poll(nil, 0, 200)
                    return events.locations.count > count + 5
                })
            other.stop()
        }
        withExtendedLifetime(folder) {}
        feeder.close()
    }

    @Test func `a device that is unplugged and another that is plugged in are a gap and new fixes`() async throws {
        let folder = try Folder()
        let feeder = try StreamServer(host: "127.0.0.1", port: 0)
        let other = try StreamServer(host: "127.0.0.1", port: 0)
        let port = try freePort()
        let control = folder.path + "/control"
        let daemon = try Program(
            GPSDTools.daemon, ["-N", "-n", "-S", "\(port)", "-F", control, "tcp://127.0.0.1:\(feeder.port)"])
        let bytes = try Self.sentences("haicom-305N")
        try await GPSDInputTests.run(GPSDOptions(port: port, silence: .seconds(1))) { events, feed in
            #expect(eventually { feed.authorization == .authorizedAlways && feeder.clientCount == 1 })
            feeder.send(bytes)
            #expect(eventually { events.locations.count > 30 })
            feeder.close()
            let name = "tcp://127.0.0.1:\(feeder.port)"
            // gpsd 3.22 says nothing of a TCP source that is gone; then it is the silence that tells.
            let words = ["\(name) is gone", "nothing was heard from \(name) for 1 s"]
            #expect(eventually { words.contains(events.errors.last ?? "") }, "\(events.errors)")
            let count = events.locations.count
            let plug = Process()
            plug.executableURL = URL(filePath: GPSDTools.control)
            plug.arguments = ["add", "tcp://127.0.0.1:\(other.port)"]
            plug.environment = ["GPSD_SOCKET": control]
            try plug.run()
            #expect(eventually { other.clientCount == 1 })
            other.send(bytes)
            #expect(eventually { events.locations.count > count + 5 })
            #expect(events.locations.last?.extra.device == "tcp://127.0.0.1:\(other.port)")
        }
        daemon.stop()
        other.close()
    }
}
