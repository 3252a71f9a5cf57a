import TaffrailTestSupport
import Testing

@testable import Taffrail

/// The design of the file logger by its own names: `Logger.shared`, its four methods, `getLogContents()`, `clearLog()`.
@Suite(.mayBlock) struct LoggerSampleTests {
    let directory = TemporaryDirectory()

    @Test func `the sample of the design logs, shows and clears its file`() throws {
        let log = directory.file("app.log")
        let subject = try Program.subject(
            ["sample", log],
            environment: [
                "TAFFRAIL_FILE": log, "TAFFRAIL_LEVEL": "debug", "TAFFRAIL_CONFIG": "", "TZ": "UTC",
            ])
        let shown = subject.readToEnd().split(separator: "\n").map(String.init)
        #expect(subject.end() == .exited(0))
        let heads = shown.dropLast().map { String($0.prefix(26)) }
        let times = #/\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\] /#
        #expect(heads.allSatisfy { $0.wholeMatch(of: times) != nil }, "\(shown)")
        let lines = shown.dropLast().map { String($0.dropFirst(26)) }
        #expect(lines.count == 6)
        #expect(lines.first == "[INFO] Logger initialized")
        #expect(lines.dropFirst().first == "[DEBUG] Attempting connection to https://ferry.example")
        #expect(lines.dropFirst(2).first == "[INFO] Connection successful, status: 200")
        #expect(lines.dropFirst(4).first?.hasPrefix("[ERROR] Connection failed: ") == true)
        #expect(lines.last == "[WARNING] a warning")
        // The file is empty then, not gone.
        #expect(shown.last == "cleared: ")
        #expect(directory.messages == ["after"])
    }

    @Test func `getLogContents has all that was logged before it, clearLog empties the live file alone`() throws {
        let options = FileOptions(
            path: directory.file("app.log"), rotate: RotationOptions(size: .kibibytes(1), keep: nil))
        let pipeline = Pipeline(sinks: [try FileSink(options)])
        let logger = pipeline.logger
        logger.info("first")
        #expect(logger.getLogContents()?.contains("] [INFO] first") == true)
        for n in 1...40 { logger.info("line \(n)") }
        #expect(logger.getLogContents()?.hasSuffix("line 40\n") == true)
        let rotated = directory.names.filter { $0 != "app.log" }
        #expect(!rotated.isEmpty)
        logger.clearLog()
        #expect(logger.getLogContents() == "")
        #expect(directory.names.filter { $0 != "app.log" } == rotated)
        logger.info("after")
        #expect(logger.getLogContents()?.hasSuffix("] [INFO] after\n") == true)
        #expect(pipeline.shutdown())
        #expect(directory.lines("app.log").count == 1)
    }

    @Test func `a logger without a file has no contents, and clearing them does nothing`() {
        let pipeline = Pipeline(sinks: [])
        pipeline.logger("ferry").info("nowhere")
        #expect(pipeline.logger("ferry").getLogContents() == nil)
        pipeline.logger("ferry").clearLog()
        #expect(pipeline.shutdown())
    }
}
