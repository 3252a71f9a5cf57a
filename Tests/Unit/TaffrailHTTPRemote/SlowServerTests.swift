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
}
#endif
