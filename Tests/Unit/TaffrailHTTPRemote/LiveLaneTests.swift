#if HTTP
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// A copy of the newest position, ahead of what waits.
@Suite(.mayBlock) struct LiveLaneTests {
    private static func position(_ number: Int) -> LogRecord {
        var record = HTTPTrial.record(number)
        record.eventName = "geo.location"
        record.attributes = [LogValueEntry("geo.location.lat", 55.5)]
        return record
    }

    private static func isLive(_ request: FaultServer.Request) -> Bool { request.key.hasSuffix("-live\"") }

    @Test func `while others wait, a copy of the newest position arrives, and the original in its turn`() async throws {
        let trial = try HTTPTrial {
            $0.live = true
            $0.batchRecords = 5
        }
        trial.server.reply { Self.isLive($0) ? .answer(200) : .answer(503) }
        try trial.write((1...20).map(HTTPTrial.record) + [Self.position(21), HTTPTrial.record(22)])
        #expect(await eventually { trial.numbers(Self.isLive) == [21] })
        let copy = try #require(trial.server.requests.first(where: Self.isLive))
        #expect(copy.key == "\"http-000000000000abcd-21-21-live\"")
        let attributes = try #require(copy.lines.first?["attributes"] as? [String: Any])
        #expect(attributes["taffrail.live"] as? Bool == true && attributes["geo.location.lat"] as? Double == 55.5)
        try trial.write([Self.position(23), Self.position(24)])
        #expect(await eventually { trial.numbers(Self.isLive).last == 24 })
        let accepted = Locked<[FaultServer.Request]>([])
        trial.server.reply { request in
            if !Self.isLive(request) { accepted.withLock { $0.append(request) } }
            return .answer(200)
        }
        func numbers() -> [Int] {
            accepted.withLock { $0 }.flatMap { $0.lines.compactMap { $0["seq"] as? Int } }
        }
        #expect(await eventually { numbers().last == 24 })
        // The first batch of the failed attempts, then the others, without the mark.
        let originals = accepted.withLock { $0 }
        #expect(numbers() == Array(1...24))
        for line in originals.flatMap(\.lines) {
            #expect((line["attributes"] as? [String: Any])?["taffrail.live"] == nil)
        }
        #expect(trial.drops.isEmpty)
    }

    @Test func `the copy is tried until there is a newer one, and nothing is lost by a refusal`() async throws {
        let trial = try HTTPTrial { $0.live = true }
        trial.server.reply { _ in .answer(503) }
        try trial.write([Self.position(1)])
        #expect(await eventually { trial.numbers(Self.isLive).count >= 2 })
        trial.server.reply { Self.isLive($0) ? .answer(400) : .answer(503) }
        let before = trial.server.requests.count
        try trial.write([Self.position(2)])
        #expect(
            await eventually {
                trial.server.requests[before...].contains { Self.isLive($0) && $0.lines.first?["seq"] as? Int == 2 }
            })
        trial.server.reply { _ in .answer(200) }
        #expect(await eventually { trial.numbers { !Self.isLive($0) }.suffix(2) == [1, 2] })
        #expect(trial.drops.isEmpty && (try? DeadLetters.read(DeadLetters.path(in: trial.spool)))?.isEmpty ?? true)
    }

    @Test func `a pause that is asked for is kept by the copies, too`() async throws {
        let trial = try HTTPTrial { $0.live = true }
        trial.server.reply { Self.isLive($0) ? .answer(429, headers: ["Retry-After": "3600"]) : .answer(503) }
        try trial.write([Self.position(1)])
        #expect(await eventually { trial.server.requests.contains(where: Self.isLive) })
        // Longer than three attempts of the lane, which has delays of a second; the others have 20 ms at most.
        let (before, end) = (trial.server.requests.count, ContinuousClock.now + .seconds(4))
        #expect(await eventually { ContinuousClock.now >= end && trial.server.requests.count > before })
        #expect(trial.server.requests.count(where: Self.isLive) == 1)
        // The uploader's, too.
        let later = SystemClock.wallNanoseconds() + 60_000_000_000
        #expect(LiveLane.isPaused(SpoolCursor(notBefore: later, isRequested: true)))
        #expect(!LiveLane.isPaused(SpoolCursor(notBefore: later)))
        #expect(!LiveLane.isPaused(SpoolCursor(notBefore: 1, isRequested: true)))
    }

    @Test(arguments: [1, 60])
    func `a copy that failed is sent again at a random time after the next one would be`(longest: Int) {
        let options = HTTPRemoteOptions(url: "http://127.0.0.1:1")
        let folder = TemporaryDirectory()
        let lane = LiveLane(
            Spool(SpoolOptions(directory: folder.file("spool"))),
            to: HTTPDestination(options, name: "http", program: "ferry"), interval: .seconds(10),
            longestRetry: .seconds(longest), rate: nil, traffic: SideTraffic())
        func delays(after count: UInt32) -> [Duration] {
            (0..<100).map { _ in
                var failures = count
                return lane.delay(after: &failures)
            }
        }
        let first = delays(after: 0)
        #expect(first.allSatisfy { .seconds(10) <= $0 && $0 <= .seconds(20) } && Set(first).count > 1)
        let later = delays(after: 9)
        let most = Duration.seconds(max(20, longest))
        #expect(later.allSatisfy { .seconds(10) <= $0 && $0 <= most } && Set(later).count > 1)
    }

    @Test func `what the copies have sent counts for the rate`() async throws {
        let server = try FaultServer()
        let traffic = SideTraffic()
        let destination = HTTPDestination(
            HTTPRemoteOptions(url: server.url), name: "http", program: "ferry", counting: traffic)
        let part = OTLPTests.part([OTLPTests.record])
        traffic.add(100_000)
        let first = try await blocking { destination.send(part) }
        let second = try await blocking { destination.send(part) }
        #expect(second.bytes > 0 && first.bytes == second.bytes + 100_000)
    }

    @Test func `positions that arrive in time are not sent twice`() async throws {
        let trial = try HTTPTrial {
            $0.live = true
            // The time that a position may take, for which a whole batch does not wait.
            $0.delay = .seconds(20)
            $0.batchRecords = 1
        }
        for number in 1...3 {
            try trial.write([Self.position(number)])
            #expect(await eventually { trial.numbers().count == number })
        }
        try trial.restart()
        #expect(trial.numbers() == [1, 2, 3] && !trial.server.requests.contains(where: Self.isLive))
    }
}
#endif
