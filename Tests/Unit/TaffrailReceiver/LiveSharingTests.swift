#if Server
import Foundation
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailServer

/// What clients of `GET /stream` share: memory, the writer, and the number of clients.
@Suite(.mayBlock) struct LiveSharingTests {
    @Test func `clients share the bytes of a long event, and get it whole`() async throws {
        let watched = WatchedLog()
        let readers = try (0..<3).map { _ in try watched.join() }
        for reader in readers { _ = await reader.stream.next() }
        try await watched.log(["short", String(repeating: "x", count: 30_000), "last"])
        var events: [SharedBytes] = []
        for reader in readers {
            var bytes = try #require(await reader.stream.next())
            while bytes.count < 30_000 { bytes = try #require(await reader.stream.next()) }
            events.append(bytes)
        }
        #expect(events.allSatisfy { $0.isCopy(of: events[0]) })
        #expect(WatchedLog.messages(String(decoding: events[0].bytes, as: UTF8.self)).map(\.count) == [30_000])
        for reader in readers { #expect(WatchedLog.messages(await reader.read(until: "last")) == ["last"]) }
        try await watched.stop()
    }

    @Test func `records that take much memory are counted with their events`() {
        var record = LogRecord(sequence: 1, run: RingID(1), level: .info, message: String(repeating: "x", count: 5_000))
        let event = LiveEvent(record, device: "", index: 0, longest: 1_000, largest: 100_000)
        #expect(event.text.count < 1_200 && event.cost > 5_000 && event.record.message.utf8.count == 5_000)
        // One that would replace all others is kept as it is shown.
        record.message = String(repeating: "\u{1}", count: 200_000)
        let largest = LiveEvent(record, device: "", index: 0, longest: 1_000, largest: 100_000)
        #expect(largest.cost < 3_000 && largest.record.message.utf8.count < 1_000 && largest.text.count < 1_200)
        record.attributes = (0..<2_000).map { LogValueEntry("key-\($0)", .array([.int(1), .string("é")])) }
        let many = LiveEvent(record, device: "", index: 0, longest: 1_000, largest: 100_000)
        #expect(many.text.count < 1_200 && many.record["taffrail.truncated"] == true)
    }

    @Test func `the writer does not wait for clients`() async throws {
        let watched = WatchedLog()
        let reader = try watched.join()
        let isPassed = try await blocking {
            watched.live.whileClientsWait {
                watched.pipeline.logger.info("while all wait")
                return watched.pipeline.flush()
            }
        }
        #expect(isPassed)
        #expect(WatchedLog.messages(await reader.read(until: "while all wait")) == ["while all wait"])
        try await watched.stop()
    }

    @Test func `a burst does not make a client miss records that keeps up`() async throws {
        var limits = LiveRecords.Limits()
        (limits.events, limits.waiting, limits.patience) = (400, 64 << 20, .seconds(60))
        let watched = WatchedLog(limits)
        let reader = try watched.join()
        _ = await reader.stream.next()
        // All at once, before it reads.
        let messages = (1...5_000).map { "message-\($0)." }
        try await watched.log(messages)
        #expect(WatchedLog.messages(await reader.read(until: "message-5000.")) == messages)
        try await watched.stop()
    }

    @Test func `one that reads nothing delays a burst only until it has missed something`() async throws {
        var limits = LiveRecords.Limits()
        (limits.events, limits.waiting, limits.patience) = (400, 64 << 20, .milliseconds(20))
        let watched = WatchedLog(limits)
        let (stuck, reader) = (try watched.join(), try watched.join())
        _ = await reader.stream.next()
        try await watched.log((1...2_000).map { "message-\($0)." })
        #expect(WatchedLog.messages(await reader.read(until: "message-2000.")).last == "message-2000.")
        let text = await stuck.read(until: "message-2000.")
        #expect(WatchedLog.messages(text).contains("dropped"))
        try await watched.stop()
    }

    @Test func `a client has an id before its first record, and learns what it has missed since`() async throws {
        var limits = LiveRecords.Limits()
        limits.events = 2
        let watched = WatchedLog(limits)
        try await watched.log(["before"])
        let first = try watched.join("level=error")
        let id = try #require(WatchedLog.lastID(await first.read(until: "\n\n")))
        first.stream.end()
        try await watched.log(["one"])
        let second = try watched.join("", after: id)
        #expect(WatchedLog.messages(await second.read(until: "one")) == ["one"])
        // More than is kept: the number is known nevertheless.
        let other = try watched.join()
        for message in ["two", "three", "four"] {
            try await watched.log([message])
            _ = await other.read(until: message)
        }
        let third = try watched.join("", after: id)
        #expect(WatchedLog.messages(await third.read(until: "four")) == ["dropped", "three", "four"])
        #expect(third.text.contains("data: {\"records\":2}"))
        // An id of the future, or of another run of the program.
        let position = try #require(LivePosition(id))
        let future = try watched.join("", after: LivePosition(epoch: position.epoch, next: .max).text)
        let unknown = try watched.join("", after: LivePosition(epoch: position.epoch ^ 1, next: 0).text)
        try await watched.log(["five"])
        #expect(WatchedLog.messages(await future.read(until: "five")) == ["five"])
        #expect(await unknown.read(until: "five").contains("event: dropped\ndata: {}\n\n"))
        try await watched.stop()
    }

    @Test func `a heartbeat has the id of the newest record, so that nothing is missing after it`() async throws {
        var limits = LiveRecords.Limits()
        (limits.events, limits.heartbeat) = (1, .milliseconds(20))
        let watched = WatchedLog(limits)
        let all = try watched.join()
        let errors = try watched.join("level=error")
        for message in ["one", "two", "three"] {
            try await watched.log([message])
            _ = await all.read(until: message)
        }
        let greeting = try #require(WatchedLog.lastID(await errors.read(until: "\n\n")))
        let epoch = try #require(LivePosition(greeting)).epoch
        let newest = LivePosition(epoch: epoch, next: 3).text
        #expect(await errors.read(until: ":\nid: \(newest)\n\n").hasPrefix("id: \(greeting)\nretry: 2000\n\n"))
        errors.stream.end()
        try await watched.log(["four"])
        let again = try watched.join("level=info", after: newest)
        #expect(WatchedLog.messages(await again.read(until: "four")) == ["four"])
        try await watched.stop()
    }

    @Test func `one owner takes all places only while no other wants one`() async throws {
        var limits = LiveRecords.Limits()
        limits.clients = 4
        let watched = WatchedLog(limits)
        let own = try (0..<4).map { _ in try watched.join(owner: 1) }
        #expect(throws: Problem.self) { try watched.join(owner: 1) }
        for reader in own { _ = await reader.stream.next() }
        let others = try (0..<2).map { _ in try watched.join(owner: 2) }
        // The newest ones have ended.
        for reader in own[2...] { #expect(await reader.stream.next() == nil) }
        let problem = #expect(throws: Problem.self) { try watched.join(owner: 2) }
        #expect(problem?.status == 503 && problem?.detail == "too many clients watch the log")
        #expect(watched.live.clients == 4)
        try await watched.log(["for all"])
        for reader in own[..<2] + others { _ = await reader.read(until: "for all") }
        watched.live.end()
        let late = #expect(throws: Problem.self) { try watched.join(owner: 3) }
        #expect(late?.status == 503 && late?.detail == "the server is shutting down")
        try await watched.stop()
    }

    @Test func `positions survive a round trip, and others are refused`() {
        for position in [LivePosition(epoch: 0, next: 0), LivePosition(epoch: .max, next: .max)] {
            #expect(LivePosition(position.text) == position && LiveID(position.text) == nil)
        }
        for text in ["", ".", "0.1", "0000000000000000.", "0000000000000000.-1", "00-1", "0000000000000000.1.2"] {
            #expect(LivePosition(text) == nil)
        }
    }
}
#endif
