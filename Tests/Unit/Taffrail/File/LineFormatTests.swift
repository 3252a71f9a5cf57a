import Glibc
import Taffrail
import TaffrailReading
import TaffrailTestSupport
import Testing

/// A custom line format, with the public API only.
@Suite(.mayBlock) struct LineFormatTests {
    private let directory = TemporaryDirectory()

    private struct Named: LineFormat {
        var name: String
        func write(_ record: borrowing RecordView, to line: inout LineText) {}
    }

    /// Whatever a line can be made of.
    private struct Everything: LineFormat {
        let name = "everything"
        private var lines: Int64 = 0

        mutating func write(_ record: borrowing RecordView, to line: inout LineText) {
            lines += 1
            line.append(lines)
            line.append(" ")
            line.append(Timestamp(nanoseconds: 1_767_623_400_123_456_789))
            line.append(" ")
            record.withMessage { line.append($0) }
            line.append(" \(record.attributes.count) ")
            for attribute in record.attributes { line.append(attribute.value) }
        }
    }

    @Test func `a line is the output of the format, always on one line`() throws {
        let path = directory.file("app.log")
        let pipeline = Pipeline(
            sinks: [try .file(path, format: Everything())], queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("left\npier\u{1b}[31m \u{202E}", ["list": [1, "a b"], "berth": 3])
        pipeline.logger.info("", ["text": "a b"])
        #expect(pipeline.shutdown())
        #expect(
            directory.lines("app.log") == [
                #"1 2026-01-05T14:30:00.123456789Z left\npier\u{1b}[31m \u{202e} 2 [1,"a b"]3"#,
                "2 2026-01-05T14:30:00.123456789Z  1 a b",
            ])
    }

    @Test func `a name that is that of another format, empty or too long is refused`() {
        let options = FileOptions(path: directory.file("app.log"))
        for name in ["", "text", "json", "logfmt", "pattern", String(repeating: "x", count: 25)] {
            #expect(throws: OptionError.self, "\(name)") { try FileSink(options, format: Named(name: name)) }
        }
        #expect(throws: Never.self) { try FileSink(options, format: Named(name: "csv")) }
    }

    @Test func `a killed program has every line in its own format once, across rotations, and none in another`() throws
    {
        let log = directory.file("app.log")
        var acknowledged: [String: UInt64] = [:]
        for round in 0..<4 {
            let page = try AcknowledgedPage(in: directory, round: "r\(round)")
            let subject = try Program.subject(["flood-own", log, page.path, "r\(round)"])
            try page.waitForFirst()
            page.wait(for: 2000)
            subject.send(SIGKILL)
            #expect(subject.end() == .killed(SIGKILL))
            acknowledged.merge(page.counts) { $1 }
        }
        // Who does not know the format leaves the records to the program.
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.records == 0)
        #expect(report.refused.allSatisfy { $0.contains("\"bar\" is not known here; the program itself recovers") })
        #expect(report.refused.count == directory.rings.count)
        RecoveryRun.awaitUnlocked(directory.file(".taffrail"))
        #expect(try Program.subject(["last-own", log]).end() == .exited(0))
        #expect(directory.rings == [])
        var lines = directory.logLines
        #expect(lines.popLast()?.hasSuffix("|warning|last\\nrun|berth: 3") == true)
        // As the text lines that the flood's lines are held against.
        let texts = lines.map { "[time] [INFO] " + $0.split(separator: "|", maxSplits: 2)[2] }
        let flood = FloodLog(texts.joined(separator: "\n"))
        #expect(lines.allSatisfy { $0.contains("Z|info|r=") })
        #expect(flood.torn == [] && flood.doubled == 0 && flood.misplaced == 0)
        #expect(flood.lost(acknowledged: acknowledged) == 0)
        #expect(acknowledged.values.reduce(0, +) >= 8000)
        #expect(directory.logs.count > 3)
        // The index knows all of them.
        let proof = try #require(try LogVerifier.read(paths: [log]).first)
        #expect(proof.isComplete, "\(proof.report)")
    }
}
