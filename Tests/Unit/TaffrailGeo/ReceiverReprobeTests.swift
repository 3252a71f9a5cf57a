import Foundation
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo

@Suite(.mayBlock) struct ReceiverReprobeTests {
    @Test func `requests to gpsd start after a delay and repeat until a receiver sends data`() throws {
        var silent = ReceiverReprobe(host: "ferry.example", pause: .nanoseconds(100))
        var isDue = silent.isDue(now: 1_000)
        #expect(silent.nextTime == nil && !isDue)
        silent.add("/dev/gps0", now: 1_000)
        var time = try #require(silent.nextTime)
        isDue = silent.isDue(now: time - 1)
        #expect((1_050...1_100).contains(time) && !isDue)
        for _ in 0..<5 {
            isDue = silent.isDue(now: time)
            #expect(isDue)
            let next = try #require(silent.nextTime)
            #expect((time + 50...time + 100).contains(next))
            time = next
        }
        silent.clear()
        isDue = silent.isDue(now: .max)
        #expect(silent.nextTime == nil && !isDue)
        silent.add("/dev/gps0", now: 0)
        #expect((50...100).contains(try #require(silent.nextTime)))
    }

    @Test func `no request is sent to gpsd while the receiver's file is missing on its own machine`() throws {
        let folder = TemporaryDirectory()
        for host in ["localhost", "127.0.0.1", "::1"] {
            var silent = ReceiverReprobe(host: host, pause: .nanoseconds(100))
            silent.add(folder.file("gps0"), now: 0)
            var isDue = silent.isDue(now: 100)
            let next = try #require(silent.nextTime)
            #expect(!isDue && next >= 150)
            try folder.write("", to: "gps0")
            isDue = silent.isDue(now: next)
            #expect(isDue)
            unlink(folder.file("gps0"))
        }
        // A connection has no file.
        var silent = ReceiverReprobe(host: "localhost", pause: .nanoseconds(100))
        silent.add("tcp://127.0.0.1:4", now: 0)
        let isDue = silent.isDue(now: 100)
        #expect(isDue)
    }
}
