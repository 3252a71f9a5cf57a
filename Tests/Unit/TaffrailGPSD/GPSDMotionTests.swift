import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailGPSD
@testable import TaffrailText

/// The input with `motion`.
@Suite(.mayBlock) struct GPSDMotionTests {
    private static let attitude = Array(
        "{\"class\":\"ATT\",\"device\":\"/dev/a\",\"heading\":93.5,\"pitch\":1}\r\n".utf8)

    @Test(arguments: [true, false]) func `readings become records if that is asked for`(motion: Bool) async throws {
        let daemon = try GPSDInputTests.Daemon()
        var options = GPSDInputTests.options(daemon)
        options.motion = motion
        try await GPSDInputTests.run(options) { events, _ in
            #expect(await eventually { daemon.watching == 1 })
            daemon.send(Self.attitude + GPSDInputTests.fix(41) + GPSDInputTests.fix(42))
            #expect(await eventually { events.locations.count == 2 })
            let readings = events.all.compactMap { event -> MotionReading? in
                if case .log(let record) = event { MotionReading(record) } else { nil }
            }
            #expect(readings.map(\.heading) == (motion ? [93.5] : []))
        }
    }

    @Test func `readings of another device are left out`() async throws {
        let daemon = try GPSDInputTests.Daemon()
        var options = GPSDInputTests.options(daemon)
        options.motion = true
        options.device = "/dev/b"
        try await GPSDInputTests.run(options) { events, _ in
            #expect(await eventually { daemon.watching == 1 })
            daemon.send(Self.attitude + GPSDInputTests.fix(41, "/dev/b") + GPSDInputTests.fix(42, "/dev/b"))
            #expect(await eventually { events.locations.count == 2 })
            #expect(events.count == 2)
        }
    }
}
