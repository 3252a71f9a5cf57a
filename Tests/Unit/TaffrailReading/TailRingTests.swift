import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Records in the queues of programs, in addition to those in their logs.
@Suite(.mayBlock) struct TailRingTests {
    let directory = TemporaryDirectory()

    private func ring(_ messages: [String], to destination: String = "app.log", hasProcessors: Bool = false) throws {
        let state = directory.file(".taffrail")
        mkdir(state, 0o700)
        var ring = CraftedRing(destination: destination)
        for (number, message) in messages.enumerated() {
            ring.append(
                LogRecord(
                    timestamp: Timestamp(nanoseconds: (1_767_623_500 + Int64(number)) * 1_000_000_000), level: .warning,
                    message: message, attributes: [LogValueEntry("pier", .int(3))]))
        }
        if hasProcessors { ring.bytes[52] = 1 }
        ring.write(to: state + "/0000000000000abc.ring")
    }

    @Test func `records of a killed program's ring are merged and marked`() throws {
        try directory.log(["before"])
        try directory.log(["behind"], to: "other.log", from: 1_767_623_600)
        try ring(["in the ring"])
        let output = try TailOutput([directory.path])
        #expect(
            output.messages == ["before", "in the ring pier=3 taffrail.unrecovered=true", "behind"])
        #expect(try TailOutput([directory.file("app.log")]).lines.count == 2)
        #expect(try TailOutput([directory.file("other.log")]).lines.count == 1)
        let json = try TailOutput([directory.file("app.log")]) { $0.format = .json }
        #expect(json.lines.last?.contains("\"attributes\":{\"pier\":3,\"taffrail.unrecovered\":true}") == true)
        #expect(try TailOutput([directory.path]) { $0.filter.level = .warning }.lines.count == 1)
        #expect(try TailOutput([directory.path]) { $0.last = 2 }.messages.last == "behind")
    }

    @Test func `a ring whose program had processors is refused unless it is to be raw`() throws {
        try directory.log(["before"])
        try ring(["secret"], hasProcessors: true)
        let output = try TailOutput([directory.path])
        #expect(output.messages == ["before"])
        #expect(output.problems.count == 1)
        #expect(output.problems.first?.contains("has processors; use --raw") == true)
        #expect(try TailOutput([directory.path]) { $0.isRaw = true }.lines.count == 2)
    }

    @Test func `a ring for a missing log is shown with the directory`() throws {
        try directory.log(["before"])
        try ring(["lost"], to: "gone.log")
        #expect(try TailOutput([directory.path]).lines.count == 2)
        #expect(try TailOutput([directory.file("app.log")]).lines.count == 1)
    }

    @Test func `after each kill log and ring together have every acknowledged record once and in order`() throws {
        for round in 0..<12 {
            let directory = TemporaryDirectory()
            let page = try AcknowledgedPage(in: directory, round: "k\(round)")
            let subject = try Program.subject(
                ["flood", directory.path + "/app.log", page.path, "k\(round)"], environment: ["FLOOD_WAITS": "1"])
            try #require(subject.readLine() == "ready")
            try page.waitForFirst()
            poll(nil, 0, CInt(round))
            subject.send(SIGKILL)
            #expect(subject.end() == .killed(SIGKILL))
            let output = try TailOutput([directory.file("app.log")])
            #expect(output.problems == [])
            let log = FloodLog(TailOutput.unmarked(output.lines.joined(separator: "\n")))
            #expect(log.torn.count == 0, "\(log.torn.first ?? "")")
            #expect(log.doubled == 0)
            #expect(log.misplaced == 0)
            #expect(log.lost(acknowledged: page.counts) == 0)
            // Nothing has been changed: the next start finds all records.
            #expect(try LogRecovery.recover(directory: directory.path).refused == [])
        }
    }
}
