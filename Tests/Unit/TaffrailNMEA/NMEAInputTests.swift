import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailNMEA
@testable import TaffrailText
@testable import TaffrailTransport

@Suite(.mayBlock) struct NMEAInputTests {
    /// An epoch of two sentences, with their checksums.
    static func epoch(_ second: Int, year: Int = 30, valid: Bool = true) -> [UInt8] {
        var bytes: [UInt8] = []
        let letter = valid ? "A" : "V"
        for body in [
            "GPRMC,1200\(second).000,\(letter),5547.8,N,02334.1,E,10,90,0108\(year < 10 ? "0" : "")\(year),,,A",
            "GPGGA,1200\(second).000,5547.8,N,02334.1,E,\(valid ? 1 : 0),04,2,37.0,M,26,M,,",
        ] {
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            bytes += Array("$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n".utf8)
        }
        return bytes
    }

    static func run(_ options: NMEAOptions, _ body: (GeoEvents) async throws -> Void) async throws {
        let events = GeoEvents()
        let pipeline = Pipeline(sinks: [GeoEventSink(events)], queue: QueueOptions(durable: false))
        let input = Task { try await NMEAInput(options, feed: LocationFeed()).run(into: pipeline) }
        defer { pipeline.shutdown() }
        do { try await body(events) } catch {
            input.cancel()
            throw error
        }
        input.cancel()
        try await input.value
    }

    @Test func `a lost connection is reestablished`() async throws {
        // Between the two servers no other test gets the port.
        let reserved = try ReservedPort()
        defer { withExtendedLifetime(reserved) {} }
        let port = reserved.number
        let server = try StreamServer(host: "127.0.0.1", port: port)
        try await Self.run(NMEAOptions(source: "tcp://127.0.0.1:\(port)", silence: .hours(1))) { events in
            #expect(await eventually { server.clientCount == 1 })
            server.send(Self.epoch(10) + Self.epoch(11) + Self.epoch(12, valid: false) + Self.epoch(13, valid: false))
            #expect(await eventually { events.locations.count == 2 && events.errors.count == 1 })
            #expect(events.locations.first?.extra.device == "tcp://127.0.0.1:\(port)")
            #expect(events.locations.first?.timestamp == RFC3339.timestamp("2030-08-01T12:00:10Z"))
            server.close()
            #expect(await eventually { events.errors.count == 2 })
            let other = try StreamServer(host: "127.0.0.1", port: port)
            #expect(await eventually { other.clientCount == 1 })
            other.send(Self.epoch(14))
            // Nothing follows: the round is complete after a pause.
            #expect(await eventually { events.locations.count == 3 })
            other.close()
        }
    }

    @Test func `datagrams are read, and silence is a loss`() async throws {
        let port = try freePort()
        let options = NMEAOptions(source: "udp://127.0.0.1:\(port)", device: "bow", silence: .seconds(1))
        try await Self.run(options) { events in
            let sender = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(sender) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            func send(_ bytes: [UInt8]) {
                withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        _ = sendto(sender, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
            }
            var second = 10
            #expect(
                await eventually {
                    send(Self.epoch(second))
                    second = second % 40 + 10
                    return !events.locations.isEmpty
                })
            #expect(events.locations.first?.extra.device == "bow")
            // If the sender was delayed, there may have been silence before.
            #expect(await eventually { events.all.last?.error != nil })
            #expect(Set(events.errors) == ["nothing received from bow for 1 s"])
        }
    }

    @Test func `a file is read to its end, and its dates are believed`() async throws {
        let folder = TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        try folder.write((10..<50).flatMap { Self.epoch($0, year: 7) }, to: "log.nmea")
        let events = GeoEvents()
        let pipeline = Pipeline(sinks: [GeoEventSink(events)], queue: QueueOptions(durable: false))
        try await NMEAInput(NMEAOptions(source: folder.file("log.nmea")), feed: LocationFeed()).run(into: pipeline)
        pipeline.shutdown()
        #expect(events.locations.count == 40)
        #expect(events.locations.first?.timestamp == RFC3339.timestamp("2007-08-01T12:00:10Z"))
        #expect(events.locations.first?.extra.uptime == nil)
    }

    @Test func `a file that is not there ends the input with an error`() async {
        await #expect(throws: SystemError.self) {
            try await NMEAInput(NMEAOptions(source: "/nonexistent/log.nmea")).run(
                into: Pipeline(sinks: [GeoEventSink(GeoEvents())], queue: QueueOptions(durable: false)))
        }
    }

    @Test func `a live receiver's rolled over weeks are put right`() async throws {
        let server = try StreamServer(host: "127.0.0.1", port: 0)
        try await Self.run(NMEAOptions(source: "tcp://127.0.0.1:\(server.port)", silence: .hours(1))) { events in
            #expect(await eventually { server.clientCount == 1 })
            server.send(Self.epoch(10, year: 7) + Self.epoch(11, year: 7))
            #expect(await eventually { !events.locations.isEmpty })
            #expect(events.locations.first?.timestamp == RFC3339.timestamp("2027-03-17T12:00:10Z"))
            server.close()
        }
    }

    @Test func `a line is read in raw mode, whatever its speed`() async throws {
        let (master, path) = try Self.pseudoTerminal()
        defer { close(master) }
        try await Self.run(NMEAOptions(source: "serial:\(path)?baud=38400", silence: .hours(1))) { events in
            var settings = termios()
            #expect(await eventually { tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) == 0 })
            var second = 10
            #expect(
                await eventually {
                    let bytes = Self.epoch(second)
                    second = second % 40 + 10
                    _ = write(master, bytes, bytes.count)
                    return events.locations.count > 2
                })
            // Input echoed by a terminal would arrive here.
            var echo = [UInt8](repeating: 0, count: 100)
            _ = fcntl(master, F_SETFL, O_NONBLOCK)
            #expect(read(master, &echo, 100) <= 0)
        }
    }

    static func pseudoTerminal() throws -> (Int32, String) {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        try #require(openpty(&master, &slave, &name, nil, nil) == 0)
        close(slave)
        return (master, String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    @Test func `sources are distinguished`() throws {
        #expect(StreamAddress("tcp://[::1]:5") == .tcp(host: "::1", port: 5))
        #expect(StreamAddress("udp://a.b:65535") == .udp(host: "a.b", port: 65_535))
        #expect(StreamAddress("/dev/ttyUSB0") == .serial(path: "/dev/ttyUSB0", baud: 9_600))
        #expect(StreamAddress("serial:/dev/x?baud=4800") == .serial(path: "/dev/x", baud: 4_800))
        #expect(StreamAddress("/dev/x?baud=921600") == .serial(path: "/dev/x", baud: 921_600))
        #expect(StreamAddress("logs/a.nmea") == .file(path: "logs/a.nmea"))
        let wrong = [
            "", "tcp://a", "tcp://:5", "tcp://a:0", "tcp://a:65536", "tcp://a:+2947", "tcp://[]:2947", "udp://a:+5",
            "http://a:5", "serial:/dev/x?speed=4", "serial:/dev/x?baud=12345", "serial:/dev/x?baud=-1",
            "/dev/x?baud=12345", "serial:/dev/x?", "serial:",
            "serial:?baud=9600",
        ]
        for text in wrong {
            #expect(StreamAddress(text) == nil)
            let json = Data("{\"source\":\"\(text)\"}".utf8)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(NMEAOptions.self, from: json) }
        }
        let whole = [
            "tcp://[::1]:5", "udp://a.b:7", "serial:/dev/x?baud=4800", "a.nmea", "-", "/dev/stdin",
            "file:/dev/shm/a.nmea", "file:serial:x", "file:a://b",
        ]
        for text in whole { #expect(StreamAddress(text)?.description == text) }
    }
}
