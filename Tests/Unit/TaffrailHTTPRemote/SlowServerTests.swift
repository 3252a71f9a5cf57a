#if HTTP
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// A server that reads requests slowly, or not at all.
@Suite(.mayBlock) struct SlowServerTests {
    @Test func `a server that reads slowly gets each request once, and delays no other`() async throws {
        let trial = try HTTPTrial { $0.compression = .none }
        let gate = HeldAnswers()
        trial.server.readSlowly(after: gate)
        let text = String(repeating: "x", count: 2000)
        for _ in 0..<3 {
            try trial.write(
                (trial.next..<trial.next + 100).map { number in
                    var record = HTTPTrial.record(number)
                    record.message += text
                    return record
                })
        }
        #expect(await eventually { trial.server.begun == 1 })
        // While the server reads nothing, the writer continues.
        try trial.write(100)
        try trial.sink.flush()
        #expect(trial.server.requests.isEmpty)
        gate.release()
        #expect(await eventually { trial.numbers().count >= 400 })
        #expect(trial.numbers() == Array(1...400))
        #expect(Set(trial.server.requests.map(\.key)).count == trial.server.requests.count && trial.drops.isEmpty)
    }

    @Test func `a server that stops reading is given up after the time of a request, and gets the same again`()
        async throws
    {
        let trial = try HTTPTrial {
            $0.compression = .none
            $0.timeout = .milliseconds(200)
        }
        let gate = HeldAnswers()
        trial.server.readSlowly(after: gate)
        try trial.write(100)
        #expect(await eventually { trial.server.begun >= 2 })
        gate.release()
        #expect(await eventually { SpoolCursorFile.read(directory: trial.spool)?.flying == nil })
        #expect(Set(trial.server.requests.map(\.key)) == ["\"http-000000000000abcd-1-100\""])
        #expect(trial.drops.isEmpty)
    }

    // MARK: A link that is too slow

    @Test func `a long request that was not answered in time gets more, up to eight times`() {
        var patience = HTTPPatience(.seconds(30))
        let long = HTTPPatience.shortestBody
        for seconds in [30, 60, 120, 240, 240] {
            #expect(patience.limit(bytes: long) == .seconds(seconds))
            // A short one does not need it.
            #expect(patience.limit(bytes: long - 1) == .seconds(30))
            let (short, other) = (patience.noteTimeout(bytes: long - 1), patience.noteTimeout(bytes: long))
            #expect(!short && other)
        }
        patience.noteResponse()
        #expect(patience.limit(bytes: long) == .seconds(30))
        var longest = HTTPPatience(.hours(1))
        _ = longest.noteTimeout(bytes: long)
        #expect(longest.limit(bytes: long) == .hours(1))
    }

    @Test func `only a long request that was not answered in time is slow`() async throws {
        let server = try FaultServer()
        var options = HTTPRemoteOptions(url: server.url)
        options.compression = .none
        // Enough to connect: all of it passes with each request that hangs.
        options.timeout = .seconds(3)
        let destination = HTTPDestination(options, name: "http", program: "ferry")
        var long = OTLPTests.record
        long.message = String(repeating: "x", count: 8192)
        server.reply { _ in .hang }
        for (record, isSlow) in [(OTLPTests.record, false), (long, true)] {
            let part = OTLPTests.part([record])
            let attempt = try await blocking { destination.send(part) }
            #expect(attempt.verdict == .later(notBefore: nil) && attempt.isSlow == isSlow, "\(attempt)")
        }
        // The time is not up when the connection ends.
        options.timeout = .seconds(60)
        let patient = HTTPDestination(options, name: "http", program: "ferry")
        server.reply { _ in .close }
        let part = OTLPTests.part([long])
        let broken = try await blocking { patient.send(part) }
        #expect(broken.verdict == .later(notBefore: nil) && !broken.isSlow, "\(broken)")
    }
}
#endif
