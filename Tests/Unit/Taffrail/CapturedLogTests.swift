import Foundation
import Glibc
import Taffrail
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// Tests of code that logs by `Logger("x")`.
@Suite(.mayBlock) struct CapturedLogTests {
    /// Code under test.
    private struct Gate {
        private let log = Logger("harbour.gate")

        func open(berth: Int) {
            log.debug("unlocking")
            log.notice("open", ["berth": berth])
        }

        func close() async {
            await Task.yield()
            log.info("closed")
        }
    }

    @Test func `a test sees records of named loggers, at every level, as soon as they are logged`() throws {
        try withCapturedLog { log in
            Gate().open(berth: 3)
            #expect(log.messages == ["unlocking", "open"])
            Logger.shared.trace("shared")
            Logger("net").info("connected")
            #expect(log.records.map(\.level) == [.debug, .notice, .trace, .info])
            #expect(log.records.map(\.sequence) == [1, 2, 3, 4])
            #expect(log.records(of: "harbour").map(\.logger) == ["harbour.gate", "harbour.gate"])
            let open = try #require(log.records(of: "harbour.gate").last)
            #expect(open["berth"] == 3 && open.source?.file == "TaffrailTests/CapturedLogTests.swift")
            #expect(open.source?.function == "open(berth:)")
            #expect(abs(open.timestamp.nanoseconds - Timestamp.now.nanoseconds) < 3_600_000_000_000)
            log.clear()
            #expect(log.records == [])
        }
    }

    @Test func `levels can be excluded`() async {
        await withCapturedLog(from: .notice) { log in
            Gate().open(berth: 1)
            await Gate().close()
            Logger("net").log(LogRecord(level: .debug, message: "too low"))
            Logger("net").log(LogRecord(level: .error, message: "record"))
            #expect(log.messages == ["open", "record"])
        }
    }

    @Test(arguments: 0..<16) func `concurrent tests see their own records`(number: Int) async {
        await withCapturedLog { log in
            await withTaskGroup { group in
                for child in 0..<8 {
                    group.addTask {
                        await Gate().close()
                        Logger("side").info("\(number) \(child)")
                    }
                }
            }
            await Task { Logger("side").info("\(number) 8") }.value
            #expect(log.records(of: "harbour").count == 8)
            #expect(Set(log.records(of: "side").map(\.message)) == Set((0...8).map { "\(number) \($0)" }))
        }
    }

    @Test func `attributes of the logger and the task are included, and an inner scope takes precedence`() throws {
        try withCapturedLog { outer in
            Logger.withAttributes(["trip": 7]) {
                Logger("net").with(["unit": 2]).error("lost", error: CocoaError(.fileNoSuchFile))
                withCapturedLog { inner in
                    Logger("net").info("inside")
                    #expect(inner.messages == ["inside"] && inner.records.last?["trip"] == 7)
                }
                Logger("net").withBacktrace { Logger("net").trace("not held back") }
            }
            #expect(outer.messages == ["lost", "not held back"])
            let lost = try #require(outer.records.first)
            #expect(lost["unit"] == 2 && lost["trip"] == 7 && lost["error.type"] == "CocoaError")
        }
    }

    @Test func `a long message is truncated as in a queue`() {
        withCapturedLog { log in
            Logger("net").info("\(String(repeating: "x", count: 300_000))")
            #expect(log.messages.first?.utf8.count == 300_000)
            Logger("net").info("\(String(repeating: "x", count: 8 << 20))")
            #expect(log.records.last?["taffrail.truncated"] == true)
        }
    }

    @Test func `loggers of another pipeline log to their own`() {
        let own = MemoryLog()
        withCapturedLog { log in
            own.logger.info("own")
            #expect(log.messages == [])
        }
        #expect(own.messages == ["own"])
    }

    @Test func `nothing is opened, and records of other tasks go where they went before`() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryDirectory()
            defer { withExtendedLifetime(folder) {} }
            let directory = folder.path
            setenv("TAFFRAIL_FILE", directory + "/app.log", 1)
            setenv("TAFFRAIL_LEVEL", "info", 1)
            let log = await withCapturedLog { log in
                Logger("net").debug("captured")
                #expect(!FileManager.default.fileExists(atPath: directory + "/app.log"))
                await Task.detached {
                    Logger("net").debug("too low")
                    Logger("net").info("detached")
                }.value
                return log
            }
            #expect(log.messages == ["captured"])
            // Afterwards the levels are restored.
            #expect(!Logger("net").isEnabled(.debug))
            Logger("net").info("after")
            #expect(log.messages == ["captured"])
            #expect(Pipeline.shared.shutdown())
            let lines = try String(contentsOfFile: directory + "/app.log", encoding: .utf8).split(separator: "\n")
            let messages = lines.map { $0.dropFirst(33) }
            #expect(messages == ["Logger initialized", "detached logger=net", "after logger=net"])
        }
    }
}
