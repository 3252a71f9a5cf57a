import Foundation
import Synchronization
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailGPSD
@testable import TaffrailText
@testable import TaffrailTransport

/// The input against a server controlled by the test.
@Suite(.mayBlock) struct GPSDInputTests {
    static let greeting =
        Array(#"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#.utf8) + [13, 10]

    static func fix(_ second: Int, _ device: String = "/dev/a", _ more: String = "") -> [UInt8] {
        Array(
            """
            {"class":"TPV","device":"\(device)","mode":2,"time":"2026-11-21T07:09:\(second).000Z","lat":1.5,"lon":2.5\(more)}\r\n
            """.utf8)
    }

    /// A gpsd that counts the clients that have sent a WATCH.
    final class Daemon: Sendable {
        let server: StreamServer

        init(port: Int = 0) throws {
            let count = Counter()
            server = try StreamServer(
                host: "127.0.0.1", port: port,
                handlers: .init(
                    joined: { _ in GPSDInputTests.greeting },
                    line: { _, line in
                        if String(decoding: line, as: UTF8.self).hasPrefix("?WATCH=") {
                            count.value.add(1, ordering: .relaxed)
                        }
                        return []
                    }))
            self.count = count
        }

        private let count: Counter
        var watching: Int { count.value.load(ordering: .relaxed) }
        func send(_ bytes: [UInt8]) { server.send(bytes) }
    }

    final class Counter: Sendable { let value = Atomic<Int>(0) }

    /// A clock that only the test advances.
    final class Clock: Sendable {
        private let nanoseconds = Atomic<Int64>(1)
        var now: Int64 { nanoseconds.load(ordering: .relaxed) }
        func advance(_ duration: Duration) { nanoseconds.add(duration.nanoseconds, ordering: .relaxed) }
    }

    /// Runs the input while `body` runs.
    static func run(
        _ options: GPSDOptions, feed: LocationFeed = LocationFeed(),
        _ body: (GeoEvents, LocationFeed) async throws -> Void
    ) async throws {
        let events = GeoEvents()
        let pipeline = Pipeline(sinks: [GeoEventSink(events)], queue: QueueOptions(durable: false))
        let input = Task { try await GPSDInput(options, feed: feed).run(into: pipeline) }
        defer { pipeline.shutdown() }
        do { try await body(events, feed) } catch {
            input.cancel()
            throw error
        }
        input.cancel()
        try await input.value
    }

    /// Runs a client while `body` runs. By its clock no silence passes only because the machine is slow.
    private static func runClient(
        of server: StreamServer, silence: Duration, feed: LocationFeed? = nil, _ body: (GeoEvents, Clock) async -> Void
    ) async {
        let (events, clock) = (GeoEvents(), Clock())
        let options = GPSDOptions(port: server.port, silence: silence)
        let client = Task {
            await DedicatedThread.run { interrupt in
                let publisher = FixPublisher { events.add($0) }
                let client = GPSDClient(
                    options, publisher: publisher, feed: feed, pause: .milliseconds(20), now: { clock.now })
                client.run(interrupt)
            }
        }
        await body(events, clock)
        client.cancel()
        await client.value
    }

    static func options(_ daemon: Daemon) -> GPSDOptions {
        GPSDOptions(port: daemon.server.port, window: .milliseconds(100), silence: .hours(1))
    }

    @Test func `fixes become records, once per epoch`() async throws {
        let daemon = try Daemon()
        try await Self.run(Self.options(daemon)) { events, feed in
            #expect(await eventually { daemon.watching == 1 })
            daemon.send(Self.fix(41) + Self.fix(41, "/dev/a", ",\"speed\":3") + Self.fix(42))
            #expect(await eventually { events.locations.count == 2 })
            #expect(events.locations.first?.speed == 3 && events.locations.first?.extra.device == "/dev/a")
            #expect(events.locations.first?.extra.uptime != nil)
            // The record comes first.
            #expect(await eventually { feed.latest?.timestamp == events.locations.last?.timestamp })
            #expect(feed.authorization == .authorizedAlways)
        }
    }

    @Test func `a lost fix and a lost device are one error each`() async throws {
        let daemon = try Daemon()
        try await Self.run(Self.options(daemon)) { events, _ in
            #expect(await eventually { daemon.watching == 1 })
            let none = Array(#"{"class":"TPV","device":"/dev/a","mode":1}"#.utf8) + [10]
            daemon.send(Self.fix(41) + none + none + none + Self.fix(42))
            #expect(await eventually { events.locations.count == 2 })
            #expect(events.errors == ["no fix from /dev/a"])
            daemon.send(Array(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#.utf8) + [10])
            #expect(await eventually { events.errors.count == 2 })
            #expect(events.errors.last == "lost the connection to /dev/a")
        }
    }

    @Test func `silence is one error`() async throws {
        let daemon = try Daemon()
        await Self.runClient(of: daemon.server, silence: .seconds(1)) { events, clock in
            #expect(await eventually { daemon.watching == 1 })
            daemon.send(Self.fix(43, "/dev/b") + Self.fix(44, "/dev/b"))
            // The first one is complete when the second one comes.
            #expect(await eventually { events.locations.count == 1 })
            clock.advance(.seconds(1))
            #expect(await eventually { events.errors.count == 1 })
            #expect(events.locations.count == 2)
            #expect(events.errors == ["nothing received from /dev/b for 1 s"])
        }
    }

    @Test func `a request is sent to gpsd for a receiver that fell silent`() async throws {
        let daemon = try Daemon()
        let step = Duration.milliseconds(20)
        await Self.runClient(of: daemon.server, silence: step) { events, clock in
            #expect(await eventually { daemon.watching == 1 })
            daemon.send(Self.fix(41, "tcp://receiver") + Self.fix(42, "tcp://receiver"))
            // The first one is complete when the second one comes.
            #expect(await eventually { events.locations.count == 1 })
            clock.advance(step)
            #expect(await eventually { events.locations.count == 2 && events.errors.count == 1 })
            #expect(
                await eventually {
                    clock.advance(step)
                    return daemon.watching >= 3
                })
            daemon.send(Self.fix(43, "tcp://receiver"))
            #expect(
                await eventually {
                    clock.advance(step)
                    return events.locations.count == 3 && events.errors.count == 2
                })
        }
    }

    @Test func `a receiver that is silent from the start is one error, and gpsd is asked for it`() async throws {
        let requests = Counter()
        let devices = #"[{"path":"tcp://bow","activated":"2026-11-21T07:09:40Z"},{"path":"/dev/b","activated":0}]"#
        let server = try StreamServer(
            host: "127.0.0.1", port: 0,
            handlers: .init(
                line: { _, _ in
                    requests.value.add(1, ordering: .relaxed)
                    // A greeting after the devices: a client that has noticed it knows them.
                    return Array("{\"class\":\"DEVICES\",\"devices\":\(devices)}\r\n".utf8) + GPSDInputTests.greeting
                }))
        let feed = LocationFeed()
        await Self.runClient(of: server, silence: .seconds(1), feed: feed) { events, clock in
            #expect(await eventually { feed.authorization == .authorizedAlways })
            clock.advance(.seconds(1))
            #expect(await eventually { events.count == 1 })
            #expect(
                await eventually {
                    clock.advance(.milliseconds(20))
                    return requests.value.load(ordering: .relaxed) >= 3
                })
            #expect(events.errors == ["no position received from tcp://bow for 1 s"])
            server.send(Self.fix(42, "tcp://bow"))
            #expect(
                await eventually {
                    clock.advance(.milliseconds(20))
                    return events.locations.count == 1
                })
        }
        server.close(timeout: .zero)
    }

    @Test func `without a receiver gpsd itself is named, once`() async throws {
        let daemon = try Daemon()
        var options = Self.options(daemon)
        options.silence = .seconds(1)
        try await Self.run(options) { events, _ in
            #expect(await eventually { daemon.watching == 1 })
            daemon.send(Array("{\"class\":\"DEVICES\",\"devices\":[]}\r\n".utf8))
            #expect(await eventually { events.count == 1 })
            let name = "the receivers of gpsd at 127.0.0.1:\(daemon.server.port)"
            #expect(events.errors == ["no position received from \(name) for 1 s"] && daemon.watching == 1)
        }
    }

    @Test func `only the wanted device counts`() async throws {
        let daemon = try Daemon()
        var options = Self.options(daemon)
        options.device = "/dev/b"
        try await Self.run(options) { events, _ in
            #expect(await eventually { daemon.watching == 1 })
            daemon.send(Self.fix(41, "/dev/a") + Self.fix(42, "/dev/b") + Self.fix(43, "/dev/a"))
            #expect(await eventually { events.locations.count == 1 })
            #expect(events.locations.first?.extra.device == "/dev/b")
        }
    }

    @Test func `a daemon that starts late, ends and restarts is found again`() async throws {
        // While the daemon is down no other test gets its port.
        let reserved = try ReservedPort()
        defer { withExtendedLifetime(reserved) {} }
        let port = reserved.number
        try await Self.run(GPSDOptions(port: port, silence: .hours(1))) { events, _ in
            #expect(await eventually { events.errors.count == 1 })
            #expect(events.errors.first == "waiting for gpsd at 127.0.0.1:\(port): connection refused")
            for round in 0..<2 {
                let daemon = try Daemon(port: port)
                #expect(await eventually { daemon.watching == 1 })
                daemon.send(Self.fix(41 + round))
                #expect(await eventually { events.locations.count == round + 1 })
                daemon.server.close()
                #expect(await eventually { events.errors.count == round + 2 })
            }
            #expect(events.errors.last?.hasPrefix("lost the connection to gpsd at 127.0.0.1:\(port)") == true)
        }
    }

    @Test func `another source that refuses access does not hide its authorization, while it runs`() async throws {
        let daemon = try Daemon()
        let denied = AuthorizationStatus.denied
        let feed = LocationFeed()
        try await Self.run(Self.options(daemon), feed: feed) { _, feed in
            #expect(await eventually { feed.authorization == .authorizedAlways })
            // As of an input whose line may not be opened.
            feed.setAuthorization(denied)
            #expect(feed.authorization == .authorizedAlways)
        }
        feed.setAuthorization(denied)
        #expect(feed.authorization == denied)
    }

    @Test func `options have ranges`() {
        for json in ["{\"port\":0}", "{\"host\":\"\"}", "{\"window\":\"3s\"}", "{\"silence\":\"10ms\"}"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(GPSDOptions.self, from: Data(json.utf8))
            }
        }
        #expect(throws: Never.self) { try JSONDecoder().decode(GPSDOptions.self, from: Data("{}".utf8)) }
    }
}
