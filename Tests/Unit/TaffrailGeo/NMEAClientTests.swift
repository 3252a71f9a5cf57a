import Glibc
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText
@testable import TaffrailTransport

@Suite(.mayBlock) struct NMEAClientTests {
    /// A receiver behind a connection: one that is silent, or one that sends a line without a position and hangs up.
    private static func connections(isSilent: Bool, wanted: Int) throws -> Int {
        let address = try #require(try SocketAddress.resolve("127.0.0.1", 0, datagrams: false, listening: true).first)
        let listener = SocketAddress.makeSocket(address.family, SocketAddress.stream)
        let isBound = address.withAddress { bind(listener, $0, $1) } == 0
        try #require(isBound)
        try #require(listen(listener, 8) == 0)
        let options = NMEAOptions(
            source: "tcp://127.0.0.1:\(SocketAddress.port(listener))", rollover: false,
            silence: isSilent ? .milliseconds(1) : .seconds(3_600))
        let source = try options.address()
        // Doubled with each connection, the waits would soon be days.
        let backoff = Backoff(first: .milliseconds(1), longest: .nanoseconds(.max / 4))
        let (isOver, isGone) = (Interrupt(), Interrupt())
        let isStarted = DedicatedThread.start {
            try? NMEAClient(options, at: source, publisher: FixPublisher { _ in }, backoff: backoff).run(isOver)
            isGone.trigger()
        }
        try #require(isStarted)
        var accepted: [Int32] = []
        defer {
            isOver.trigger()
            _ = isGone.wait(timeout: nil)
            for descriptor in accepted + [listener] { close(descriptor) }
        }
        // Where each connection takes a second or two, thirty take a minute.
        let deadline = SystemClock.monotonicNanoseconds() + 300_000_000_000
        var count = 0
        while count < wanted, SystemClock.monotonicNanoseconds() < deadline {
            var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 100) == 1 else { continue }
            let descriptor = SocketAddress.accept(listener)
            guard descriptor >= 0 else { continue }
            count += 1
            if isSilent {
                accepted.append(descriptor)
            } else {
                let line = Array("$GPTXT,01,01,02,no fix yet*00\r\n".utf8)
                _ = send(descriptor, line, line.count, Int32(MSG_NOSIGNAL))
                close(descriptor)
            }
        }
        return count
    }

    @Test(arguments: [true, false])
    func `a receiver that can be reached and reports nothing is opened again without growing waits`(
        isSilent: Bool
    ) async throws {
        let count = try await blocking { try Self.connections(isSilent: isSilent, wanted: 30) }
        #expect(count == 30)
    }

    /// A clock that only the test advances.
    private struct Clock {
        var nanoseconds: Int64 = 0
        var readings = 0
    }

    @Test func `a receiver whose sentences end while other instruments send theirs is lost`() async throws {
        let server = try StreamServer(host: "127.0.0.1", port: 0)
        defer { server.close(timeout: .zero) }
        // Neither the silence nor the pause passes, however slow the machine is.
        let options = NMEAOptions(
            source: "tcp://127.0.0.1:\(server.port)", device: "bow", rollover: false, silence: .hours(1))
        let source = try options.address()
        let events = GeoEvents()
        let clock = Locked(Clock())
        let client = Task {
            await DedicatedThread.run { interrupt in
                let client = NMEAClient(
                    options, at: source, publisher: FixPublisher { events.add($0) }, pause: .hours(1),
                    now: {
                        clock.withLock { clock in
                            clock.readings += 1
                            return clock.nanoseconds
                        }
                    })
                try? client.run(interrupt)
            }
        }
        #expect(await eventually { server.clientCount == 1 })
        let fix = NMEAParserTests.lines("GPRMC,152505.00,A,5547.82113,N,02334.14130,E,0.253,84.4,091209,,,A")
        let wind = NMEAParserTests.lines("WIMWV,214.8,R,10.2,K,A")
        server.send(fix + wind)
        // The clock is read when the line has been opened, and with all that arrives.
        #expect(await eventually { clock.withLock { $0.readings } == 2 })
        for half in 1...2 {
            #expect(events.all.isEmpty)
            clock.withLock { $0.nanoseconds += Duration.minutes(30).nanoseconds }
            server.send(wind)
            #expect(await eventually { clock.withLock { $0.readings } == 2 + half })
        }
        #expect(await eventually { !events.errors.isEmpty })
        // The last position was complete before, and the line is still open.
        #expect(events.locations.count == 1 && events.all.last?.error != nil && server.clientCount == 1)
        #expect(events.errors == ["no position received from bow for 3600 s"])
        for second in 15...16 {
            server.send(
                NMEAParserTests.lines("GPRMC,1525\(second).00,A,5547.82113,N,02334.14130,E,0.253,84.4,091209,,,A"))
        }
        #expect(await eventually { events.locations.count == 3 })
        #expect(events.errors.count == 1)
        client.cancel()
        await client.value
    }
}
