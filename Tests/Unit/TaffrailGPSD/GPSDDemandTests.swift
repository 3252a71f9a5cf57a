import Foundation
import Taffrail
import TaffrailGeo
import TaffrailLocationManager
import TaffrailTestSupport
import Testing

@testable import TaffrailGPSD
@testable import TaffrailText
@testable import TaffrailTransport

/// The input with `on_demand`: gpsd has a client only while positions are requested.
@Suite(.mayBlock) struct GPSDDemandTests {
    private static func run(
        _ port: Int, _ body: (GeoEvents, LocationFeed) async throws -> Void
    ) async throws {
        try await GPSDInputTests.run(
            GPSDOptions(port: port, window: .milliseconds(100), silence: .hours(1), onDemand: true), body)
    }

    @Test func `gpsd has a client while a manager updates, and none before and after`() async throws {
        let daemon = try GPSDInputTests.Daemon()
        try await Self.run(daemon.server.port) { events, feed in
            let manager = LocationManager(feed: feed, queue: .global())
            #expect(daemon.server.clientCount == 0)
            manager.startUpdatingLocation()
            #expect(await eventually { daemon.watching == 1 })
            daemon.send(GPSDInputTests.fix(41) + GPSDInputTests.fix(42))
            #expect(await eventually { events.locations.count == 2 })
            manager.stopUpdatingLocation()
            #expect(await eventually { daemon.server.clientCount == 0 })
            manager.startUpdatingLocation()
            #expect(await eventually { daemon.watching == 2 })
            daemon.send(GPSDInputTests.fix(43))
            #expect(await eventually { events.locations.count == 3 })
            // To be closed on purpose is no loss.
            #expect(events.errors == [])
            manager.stopUpdatingLocation()
        }
        #expect(await eventually { daemon.server.clientCount == 0 })
    }

    @Test func `a fix a minute needs a client for one fix only`() async throws {
        let daemon = try GPSDInputTests.Daemon()
        try await Self.run(daemon.server.port) { events, feed in
            let slow = feed.subscribe(accuracy: 1_000, interval: .seconds(60))
            #expect(await eventually { daemon.watching == 1 })
            daemon.send(GPSDInputTests.fix(41))
            #expect(await eventually { events.locations.count == 1 && daemon.server.clientCount == 0 })
            let recorder = feed.subscribe(accuracy: -1)
            #expect(await eventually { daemon.watching == 2 })
            daemon.send(GPSDInputTests.fix(42) + GPSDInputTests.fix(43))
            #expect(await eventually { events.locations.count == 3 })
            withExtendedLifetime((slow, recorder)) {}
        }
    }

    /// A gpsd without `-n` opens its receiver for clients only.
    @Test(.enabled(if: Program.areThere("gpsd"), "gpsd is not installed"))
    func `a real gpsd has no client and releases its receiver while there is no demand`() async throws {
        let folder = TemporaryDirectory()
        let receiver = try StreamServer(host: "127.0.0.1", port: 0)
        let port = try freePort()
        let daemon = try Program(
            ["-N", "-b", "-S", "\(port)", "tcp://127.0.0.1:\(receiver.port)"], of: "gpsd", in: folder)
        #expect(await eventually { Self.connections(of: port, state: "0A") == 1 })
        try await Self.run(port) { events, feed in
            #expect(Self.clients(of: port) == 0)
            let manager = LocationManager(feed: feed, queue: .global())
            for round in 1...2 {
                manager.startUpdatingLocation()
                #expect(await eventually { Self.clients(of: port) == 1 })
                #expect(await eventually { receiver.clientCount == 1 })
                var second = round * 10
                let isHeard = await eventually {
                    second += 1
                    receiver.send(Self.epoch(second % 60))
                    return events.locations.count >= round
                }
                #expect(isHeard)
                manager.stopUpdatingLocation()
                #expect(await eventually { Self.clients(of: port) == 0 })
            }
        }
        daemon.kill()
    }

    private static func epoch(_ second: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        let time = "1200\(second < 10 ? "0" : "")\(second)"
        for body in [
            "GPRMC,\(time).000,A,5547.8,N,02334.1,E,10,90,010830,,,A",
            "GPGGA,\(time).000,5547.8,N,02334.1,E,1,04,2,37.0,M,26,M,,",
        ] {
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            bytes += Array("$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n".utf8)
        }
        return bytes
    }

    private static func clients(of port: Int) -> Int { connections(of: port, state: "01") }

    /// The sockets of a local port in the kernel's table, by their state: 01 connected, 0A listening.
    private static func connections(of port: Int, state: String) -> Int {
        let number = String(port, radix: 16, uppercase: true)
        let address = ":" + String(repeating: "0", count: 4 - number.count) + number
        let table = (try? FileSource(path: "/proc/net/tcp").readAll(limit: 4 << 20)) ?? []
        return String(decoding: table, as: UTF8.self).split(separator: "\n").count { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[1].hasSuffix(address) && fields[3] == state
        }
    }
}
