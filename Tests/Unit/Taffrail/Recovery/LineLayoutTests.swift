import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// The line format stored in a ring, for `taffrail recover` without the program.
@Suite(.mayBlock) struct LineLayoutTests {
    private let directory = TemporaryDirectory()

    private var record: LogRecord {
        LogRecord(
            timestamp: Timestamp(nanoseconds: 1_767_623_400_123_456_789), level: .warning, message: "ice ahead",
            attributes: [LogValueEntry("pier", .int(3))], logger: "net")
    }

    private func leaveRing(_ format: FileOptions.Format, _ layout: LineLayout) {
        mkdir(directory.file(".taffrail"), 0o700)
        var ring = CraftedRing(sinks: ["file:app.log"])
        ring.append(record)
        ring.withHeader { $0.setLog(slot: 0, encoder: format.rawValue, layout: layout, destination: "app.log") }
        ring.write(to: directory.file(".taffrail/\(ring.run).ring"))
    }

    @Test(
        arguments: [
            (.pattern, LineLayout(time: .utc, precision: .microseconds, pattern: "%{level:padded}|%{time}|%{message}")),
            (.text, LineLayout(time: .utc)), (.logfmt, LineLayout(precision: .nanoseconds)),
            (.json, LineLayout(precision: .milliseconds)),
        ] as [(FileOptions.Format, LineLayout)])
    func `recovered lines have the program's format`(format: FileOptions.Format, layout: LineLayout) throws {
        leaveRing(format, layout)
        #expect(try LogRecovery.recover(directory: directory.path).records == 1)
        let sink = try FileSink(
            FileOptions(
                path: directory.file("same.log"), format: format, pattern: layout.pattern, time: layout.time,
                precision: layout.precision))
        var buffer = RecordBuffer(run: RingID(0xF11E))
        var record = record
        record.sequence = 1
        buffer.append(record)
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
        try sink.close()
        #expect(directory.lines("app.log").count == 1)
        #expect(directory.text("app.log") == directory.text("same.log"))
        #expect(directory.rings == [])
    }

    @Test func `rings of one log are recovered in the order of their runs, each as its program wrote it`() throws {
        mkdir(directory.file(".taffrail"), 0o700)
        func leave(_ run: UInt64, _ format: FileOptions.Format, to name: String = "app.log", _ messages: String...) {
            var ring = CraftedRing(
                run: RingID(run), sinks: ["file:" + name], destination: name, encoder: format.rawValue)
            for message in messages { ring.append(LogRecord(level: .info, message: message)) }
            ring.write(to: directory.file(".taffrail/\(ring.run).ring"))
        }
        // Names have no order.
        leave(9, .json, "one", "two")
        leave(3, .text, "three")
        leave(7, .logfmt, to: "other.log", "other")
        leave(5, .json, "four")
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.records == 5 && report.refused == [] && report.left == [] && report.failure == nil)
        #expect(report.files == [directory.file("app.log"), directory.file("other.log")])
        let lines = directory.lines("app.log")
        #expect(lines.map { $0.first } == ["{", "{", "[", "{"])
        #expect(zip(lines, ["one", "two", "three", "four"]).allSatisfy { $0.contains($1) }, "\(lines)")
        #expect(directory.lines("other.log").count == 1)
        #expect(directory.rings == [])
        // Who reads it has one format.
        #expect(try TailOutput([directory.file("app.log")]).messages == ["one", "two", "three", "four"])
    }

    @Test func `rings that are not recovered are read in one format`() throws {
        mkdir(directory.file(".taffrail"), 0o700)
        for (run, format) in [(9, FileOptions.Format.json), (3, .text)] as [(UInt64, FileOptions.Format)] {
            var ring = CraftedRing(run: RingID(run), sinks: ["file:app.log"], encoder: format.rawValue)
            for n in 0..<2 {
                let time = Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(run) + 100 * Int64(n))
                ring.append(LogRecord(timestamp: time, level: .info, message: "\(format.rawValue) \(n)"))
            }
            ring.write(to: directory.file(".taffrail/\(ring.run).ring"))
        }
        let mark = " taffrail.unrecovered=true"
        #expect(
            try TailOutput([directory.path]).messages == ["text 0", "json 0", "text 1", "json 1"].map { $0 + mark })
        #expect(try TailOutput([directory.path]) { $0.format = .json }.lines.allSatisfy { $0.first == "{" })
    }

    @Test func `a running program reports it`() throws {
        let layout = LineLayout(time: .utc, precision: .nanoseconds, pattern: "%{time} %{message}")
        let sink = try FileSink(
            FileOptions(
                path: directory.file("app.log"), format: .pattern, pattern: layout.pattern, time: layout.time,
                precision: layout.precision))
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("x")
        let header = try #require(pipeline.queue.control.header)
        #expect(header.encoder == "pattern" && header.layout == layout)
        #expect(pipeline.shutdown())
    }

    @Test func `a pattern that does not fit into a ring is reported, and nothing is lost`() throws {
        let long = "%{message}" + String(repeating: "x", count: RingHeader.patternLength)
        leaveRing(.pattern, LineLayout(pattern: long))
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.records == 0 && report.refused.count == 1)
        #expect(report.refused.first?.contains("pattern") == true, "\(report.refused)")
        #expect(report.refused.first?.contains("the program itself recovers") == true)
        #expect(directory.rings.count == 1)
        RecoveryRun.awaitUnlocked(directory.file(".taffrail"))
        // The program, which knows its pattern, finds everything.
        let sink = try FileSink(FileOptions(path: directory.file("app.log"), format: .pattern, pattern: long))
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("next")
        #expect(pipeline.shutdown())
        #expect(directory.lines("app.log").first?.hasPrefix("ice aheadxxx") == true)
        #expect(directory.rings == [])
    }
}
