import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct BacktraceTests {
    private let sink = MemorySink()
    private let pipeline: Pipeline
    private var logger: Logger { pipeline.logger }

    init() { pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false)) }

    private func messages() -> [String] {
        pipeline.flush()
        return sink.messages
    }

    @Test func `records below the level are logged with the error, and only then`() {
        logger.withBacktrace {
            logger.debug("a")
            logger.info("b")
            logger.trace("c")
            #expect(messages() == ["b"])
            logger.error("d")
            logger.debug("e")
        }
        logger.error("f")
        logger.debug("g")
        #expect(messages() == ["b", "a", "c", "d", "f"])
        #expect(pipeline.level == .info && !logger.isEnabled(.debug))
    }

    @Test func `the newest are kept, at or above the requested level`() {
        logger.withBacktrace(from: .debug, capacity: 3) {
            for number in 1...5 { logger.debug("\(number)") }
            logger.trace("no")
            logger.critical("end")
        }
        #expect(messages() == ["3", "4", "5", "end"])
    }

    @Test func `a task's children add to it, other tasks do not`() async {
        await logger.withBacktrace {
            logger.debug("mine")
            await withTaskGroup(of: Void.self) { group in
                group.addTask { pipeline.logger("child").debug("child's") }
            }
            let other = Task.detached { [pipeline] in
                pipeline.logger.debug("other's \(Self.neverBuilt())")
                pipeline.logger.error("other's error")
            }
            await other.value
            logger.error("end")
        }
        #expect(messages() == ["other's error", "mine", "child's", "end"])
    }

    private static func neverBuilt() -> String {
        Issue.record("a record of another task was built")
        return ""
    }

    @Test func `records that already exist are kept as well`() {
        logger.withBacktrace {
            logger.log(LogRecord(level: .debug, message: "made"))
            logger.error("end")
        }
        #expect(messages() == ["made", "end"])
    }
}
