#if Server
import Foundation
import Synchronization
import Taffrail
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailReceiver

/// The contract of inputs.
@Suite(.mayBlock) struct ReceiverRuleTests {
    private final class Port: Sendable { let number = Atomic<Int>(0) }

    /// A client that sends lines.
    private final class Subject: InputSubject {
        private let listening = Port()
        private var count = 0

        func makeInput() throws -> any Input {
            let listening = listening
            listening.number.store(0, ordering: .relaxed)
            return try ReceiverInput(ReceiverOptions(bind: "127.0.0.1:0", durable: false)) {
                listening.number.store($0, ordering: .relaxed)
            }
        }

        func give(_ count: Int) async throws -> [String] {
            #expect(await eventually { listening.number.load(ordering: .relaxed) != 0 })
            let messages = (0..<count).map { "line \(self.count + $0)" }
            self.count += count
            let body = messages.map { "{\"message\":\"\($0)\"}\n" }.joined()
            let port = listening.number.load(ordering: .relaxed)
            let answer = try await blocking {
                let connection = try Connection(port: port)
                connection.send(
                    Array(
                        "POST /logs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                            .utf8))
                return connection.readToEnd()
            }
            #expect(Answer(answer).status == 200)
            return messages
        }
    }

    @Test(arguments: InputRule.all) func `the receiver keeps every rule`(rule: InputRule) async throws {
        try await rule.check(Subject())
    }

    @Test func `an address in use is tried again`() async throws {
        let first = try await LiveReceiver()
        let options = ReceiverOptions(bind: "127.0.0.1:\(first.port)", durable: false)
        let pipeline = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false, handleSignals: false))
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let input = try ReceiverInput(options) { listening.yield($0) }
        let running = Task { try await input.run(into: pipeline) }
        #expect(try await first.send("GET", "/health").status == 200)
        try await first.stop()
        for await port in ports {
            #expect(port == first.port)
            break
        }
        running.cancel()
        try await running.value
        _ = try await blocking { pipeline.shutdown() }
    }
}
#endif
